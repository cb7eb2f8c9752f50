"""A bug answers 500 with a reference; the log gets the same reference, the kind of error and where, no values."""

import logging

from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.http.responses import answer
from mcp_server.observability.bug_reports import origin

_log = logging.getLogger(__name__)


class Bugs:
    """Catches what nothing else expected."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        started = False

        async def send_and_note(message: Message) -> None:
            nonlocal started
            started = True
            await send(message)

        try:
            await self.app(scope, receive, send_and_note)
        except ClientDisconnect:
            # nobody is left to answer
            return
        except Exception as error:
            reference = scope["reference"]
            _log.error("a request failed: %s", origin(error), extra={"reference": reference})
            if started:
                raise
            await answer(_bug(reference), status=500)(scope, receive, send)


def _bug(reference: str) -> dict[str, object]:
    return {
        "success": False,
        "error": f"Internal error, reference {reference}",
        "error_category": "internal",
        "details": {"reference": reference},
        "fix": {"required_action": "Try again; if it persists, give the reference to whoever runs this service"},
        "alternatives": {},
    }
