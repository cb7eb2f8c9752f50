from typing import Any

import pytest

from app.http.mcp_endpoint import McpEndpoint
from mcp_server.services import Services


async def _nothing(*_: Any) -> Any:
    raise AssertionError("never called")


async def test_a_request_learns_that_the_endpoint_could_not_be_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: Services) -> None:
        raise RuntimeError("no server")

    monkeypatch.setattr("mcp_server.protocol.server.build_server", refuse)
    endpoint = McpEndpoint(Services.__new__(Services), body_limit=1)
    async with endpoint.running():
        for _ in range(2):
            with pytest.raises(RuntimeError, match="no server"):
                await endpoint({"type": "http"}, _nothing, _nothing)
