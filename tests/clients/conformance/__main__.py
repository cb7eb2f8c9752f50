"""`python -m tests.clients.conformance serve`: `trawl serve` with the fixtures of the conformance suite mounted.

What the service builds itself is caught where it is built, so that the service needs no option for tests.
"""

from typing import Any
from unittest.mock import patch

from fastapi import FastAPI
from starlette.types import Scope

from app.cli.commands import serve
from app.cli.main import main
from mcp_server.protocol import http
from mcp_server.protocol import server as protocol_server
from mcp_server.protocol.server import OperationServer, build_server
from tests.clients.conformance.mount import mount_fixtures
from tests.clients.conformance.notifications import NOTIFYING
from tests.clients.conformance.session import AskingSession

create_app, wants_progress = serve.create_app, http.wants_progress
built: list[OperationServer] = []


def create_with_session(*arguments: Any, **options: Any) -> FastAPI:
    app = create_app(*arguments, **options)
    server = build_server(app.state.services)
    mount_fixtures(server)
    built.append(server)
    app.add_middleware(AskingSession, server=server)
    return app


def built_server(*_: Any) -> OperationServer:
    """Return the server with the fixtures, which the service loads later."""
    return built[0]


def wants_notifications(scope: Scope, body: bytes) -> bool:
    """Answer calls of tools that notify by a stream, as calls are answered that wait and ask for progress."""
    return wants_progress(scope, body) or any(name.encode() in body for name in NOTIFYING)


if __name__ == "__main__":
    with (
        patch.object(protocol_server, "build_server", built_server),
        patch.object(serve, "create_app", create_with_session),
        patch.object(http, "wants_progress", wants_notifications),
    ):
        main()
