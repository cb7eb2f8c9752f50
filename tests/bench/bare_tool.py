"""`python -m tests.bench.bare_tool URL INDEX FILE`: the least that an MCP tool for OpenSearch can be.

It keeps its client, answers in JSON, and passes on the request that stands in the file for a query.
"""

import json
import socket
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from subprocess import DEVNULL, PIPE, Popen
from typing import Any

from tests.service import stop

TOOL = "search"
PARAMS = {"allow_partial_search_results": "false"}


@contextmanager
def bare_tool(url: str, index: str, bodies: Mapping[str, Mapping[str, Any]], folder: Path) -> Iterator[str]:
    """Run it while the block runs, and give its address."""
    file = folder / "bodies.json"
    file.write_text(json.dumps(bodies), encoding="utf-8")
    process = Popen([sys.executable, "-m", "tests.bench.bare_tool", url, index, str(file)], stdin=DEVNULL, stdout=PIPE)
    try:
        assert process.stdout is not None
        yield process.stdout.readline().decode().strip()
    finally:
        stop(process)


def main(arguments: Sequence[str]) -> None:
    import uvicorn  # noqa: PLC0415  # only the process that serves needs these
    from mcp.server.mcpserver import MCPServer  # noqa: PLC0415  # as above
    from opensearchpy import AsyncOpenSearch  # noqa: PLC0415  # as above

    url, index, file = arguments
    bodies: dict[str, dict[str, Any]] = json.loads(Path(file).read_text(encoding="utf-8"))
    client = AsyncOpenSearch(hosts=[url], maxsize=64)
    server = MCPServer[Any]("bare", log_level="ERROR")

    @server.tool()
    async def search(query: str) -> dict[str, Any]:
        answer: dict[str, Any] = await client.search(index=index, body=bodies[query], params=PARAMS)
        return answer

    app = server.streamable_http_app(stateless_http=True, json_response=True)
    listener = socket.create_server(("127.0.0.1", 0), backlog=2048)
    print(f"http://127.0.0.1:{listener.getsockname()[1]}", flush=True)
    config = uvicorn.Config(app, loop="uvloop", http="httptools", access_log=False, log_config=None)
    uvicorn.Server(config).run([listener])


if __name__ == "__main__":
    main(sys.argv[1:])
