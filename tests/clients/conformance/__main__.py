"""`python -m tests.clients.conformance serve`: `trawl serve` with the fixtures of the conformance suite mounted.

What the service builds itself is caught where it is built, so that the service needs no option for tests.
"""

from typing import Any
from unittest.mock import patch

from fastapi import FastAPI
from mcp.server.lowlevel import Server
from starlette.types import Message, Receive, Scope

from app.cli.commands import serve
from app.cli.main import main
from app.http import application
from mcp_server.protocol import http
from tests.clients.conformance.mount import mount_fixtures
from tests.clients.conformance.notifications import NOTIFYING
from tests.clients.conformance.session import AskingSession

build_server, create_app, wants_progress = application.build_server, serve.create_app, http.wants_progress
built: list[Server[Any]] = []


def build_with_fixtures(*arguments: Any) -> Any:
    server = build_server(*arguments)
    built.append(server._lowlevel_server)
    mount_fixtures(built[0])
    return server


def create_with_session(*arguments: Any) -> FastAPI:
    app = create_app(*arguments)
    app.add_middleware(AskingSession, server=built[0])
    return app


async def wants_notifications(scope: Scope, receive: Receive) -> tuple[bool, Receive]:
    """Answer calls of tools that notify by a stream, as calls are answered that wait and ask for progress."""
    wants, receive = await wants_progress(scope, receive)
    first = await receive()
    buffered: list[Message] = [first]

    async def receive_all() -> Message:
        return buffered.pop() if buffered else await receive()

    return wants or any(name.encode() in first.get("body", b"") for name in NOTIFYING), receive_all


if __name__ == "__main__":
    with (
        patch.object(application, "build_server", build_with_fixtures),
        patch.object(serve, "create_app", create_with_session),
        patch.object(http, "wants_progress", wants_notifications),
    ):
        main()
