"""Unexpected exceptions: the response is a 500 with a reference, and the log gets the reference, type and place."""

import logging

from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.http.failures import failure_response
from app.http.responses import json_response
from indexer.open_files import is_out_of_files, too_many_files
from mcp_server.observability.bug_reports import origin

_log = logging.getLogger(__name__)


class Bugs:
    """Turns an unexpected exception into a 500, or a 503 if no more files may be opened."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        started = False

        async def send_and_mark(message: Message) -> None:
            nonlocal started
            started = True
            await send(message)

        try:
            await self.app(scope, receive, send_and_mark)
        except ClientDisconnect:
            # The client is gone: no response can be sent.
            return
        except Exception as error:
            if is_out_of_files(error) and not started:
                await failure_response(too_many_files())(scope, receive, send)
                return
            reference = scope["reference"]
            _log.error("request failed unexpectedly: %s", origin(error), extra={"reference": reference})
            if started:
                raise
            await json_response(_internal_error(reference), status=500)(scope, receive, send)


def _internal_error(reference: str) -> dict[str, object]:
    return {
        "success": False,
        "error": f"Internal error, reference {reference}",
        "error_category": "internal",
        "details": {"reference": reference},
        "fix": {"required_action": "Try again; if it persists, give the reference to whoever runs this service"},
        "alternatives": {},
    }
