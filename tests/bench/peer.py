"""opensearch-mcp-server-py, another MCP server for OpenSearch, in an environment of its own."""

import subprocess
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mcp import Client, StdioServerParameters, stdio_client
from mcp.types import TextContent

from deploy.local.places import cache_root

NAME = "opensearch-mcp-server-py"
VERSION = "0.12.0"


@dataclass(frozen=True)
class Peer:
    """A session with the peer."""

    client: Client

    async def search(self, index: str, body: Mapping[str, Any]) -> str:
        """Return the text of its answer."""
        arguments = {"index": index, "query_dsl": dict(body), "size": body["size"]}
        answer = await self.client.call_tool("SearchIndexTool", arguments)
        [content] = answer.content
        if answer.is_error or not isinstance(content, TextContent) or '"hits"' not in content.text:
            raise SystemExit(f"{NAME} does not answer")
        return content.text


@asynccontextmanager
async def running_peer(url: str) -> AsyncIterator[Peer]:
    """Run it over standard input and output while the block runs."""
    environment = {"OPENSEARCH_URL": url, "OPENSEARCH_NO_AUTH": "true", "OPENSEARCH_SSL_VERIFY": "false"}
    program = StdioServerParameters(
        command=str(_installed()), args=["-m", "mcp_server_opensearch"], env=environment, cwd=cache_root()
    )
    async with Client(stdio_client(program), mode="legacy") as client:
        yield Peer(client)


def _installed() -> Path:
    """Return its Python, from the cache or installed there."""
    folder = cache_root() / f"{NAME}-{VERSION}"
    python, ready = folder / "bin" / "python", folder / ".ready"
    if not ready.exists():
        uv = Path(sys.executable).with_name("uv")
        subprocess.run([uv, "venv", "-q", "--clear", "--python", sys.executable, folder], check=True)
        subprocess.run([uv, "pip", "install", "-q", "--python", python, f"{NAME}=={VERSION}"], check=True)
        ready.touch()
    return python
