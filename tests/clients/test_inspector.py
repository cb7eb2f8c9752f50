"""The inspector's command line: one process for each request."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.clients.journey import UNKNOWN, Journey, assert_complete, search_arguments
from tests.clients.packages import node
from tests.service import Service

SECONDS = 60.0

pytestmark = pytest.mark.xdist_group("clients")


class Inspector:
    """Runs the inspector against one address."""

    def __init__(self, packages: Path, folder: Path, url: str) -> None:
        self._program = packages / "@modelcontextprotocol" / "inspector" / "clients" / "launcher" / "build" / "index.js"
        self._folder = folder
        self._url = url

    def ask(self, method: str, *options: str) -> Any:
        target = ("--cli", self._url, "--transport", "http", "--method", method)
        ended = node(self._program, *target, *options, folder=self._folder, timeout=SECONDS)
        assert ended.returncode == 0, ended.stdout + ended.stderr
        return json.loads(ended.stdout)

    def search(self, arguments: dict[str, Any]) -> dict[str, Any]:
        given = [f"--tool-arg={name}={value}" for name, value in arguments.items()]
        structured: dict[str, Any] = self.ask("tools/call", "--tool-name", "search_index", *given)["structuredContent"]
        return structured


def test_the_inspector_searches_reads_on_and_is_told_why_it_fails(
    packages: Path, tmp_path: Path, service: Service, index: str
) -> None:
    inspector = Inspector(packages, tmp_path, f"{service.url}/mcp")
    tools = [tool["name"] for tool in inspector.ask("tools/list", "--strict")["tools"]]
    pages = [inspector.search(search_arguments(index))]
    while (cursor := pages[-1]["next_cursor"]) is not None:
        pages.append(inspector.search(search_arguments(index, cursor)))
    assert_complete(Journey(tools, pages, inspector.search(search_arguments(UNKNOWN))))
