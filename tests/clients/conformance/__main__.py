"""`python -m tests.clients.conformance serve`: `trawl serve` with the fixtures of the conformance suite mounted.

What the service builds itself is caught where it is built, so that the service needs no option for tests.
"""

from typing import Any
from unittest.mock import patch

from fastapi import FastAPI
from starlette.types import Scope

from app.cli.commands import serve
from app.cli.main import main
from app.http import application
from mcp_server.protocol import http
from mcp_server.protocol.server import OperationServer
from tests.clients.conformance.mount import mount_fixtures
from tests.clients.conformance.notifications import NOTIFYING
from tests.clients.conformance.session import AskingSession

build_server, create_app, wants_progress = application.build_server, serve.create_app, http.wants_progress
built: list[OperationServer] = []


def build_with_fixtures(*arguments: Any) -> OperationServer:
    server = build_server(*arguments)
    mount_fixtures(server)
    built.append(server)
    return server


def create_with_session(*arguments: Any) -> FastAPI:
    app = create_app(*arguments)
    app.add_middleware(AskingSession, server=built[0])
    return app


def wants_notifications(scope: Scope, body: bytes) -> bool:
    """Answer calls of tools that notify by a stream, as calls are answered that wait and ask for progress."""
    return wants_progress(scope, body) or any(name.encode() in body for name in NOTIFYING)


if __name__ == "__main__":
    with (
        patch.object(application, "build_server", build_with_fixtures),
        patch.object(serve, "create_app", create_with_session),
        patch.object(http, "wants_progress", wants_notifications),
    ):
        main()
