"""Receives the browser after the sign-in: a server on loopback for one answer."""

import asyncio
import hmac
from collections.abc import Mapping
from typing import Final, Self
from urllib.parse import parse_qsl, urlsplit

from indexer.errors import TimedOut

_PATH: Final = "/callback"
_MAX_REQUEST: Final = 65_536
_SECONDS: Final = 300.0
_HEADERS: Final = (
    "Content-Type: text/plain; charset=utf-8",
    "Content-Security-Policy: default-src 'none'",
    "Referrer-Policy: no-referrer",
    "Cache-Control: no-store",
    "Connection: close",
)


class Callback:
    """Listens on a random port of 127.0.0.1 until the browser brings the answer with the right state."""

    def __init__(self, state: str) -> None:
        self._state = state
        self._answer: asyncio.Future[Mapping[str, str]] = asyncio.get_running_loop().create_future()
        self._server: asyncio.Server | None = None
        self.redirect_uri = ""

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0, limit=_MAX_REQUEST)
        self.redirect_uri = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}{_PATH}"
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._server is not None:
            self._server.close()

    async def wait(self) -> Mapping[str, str]:
        """Return the parameters of the answer; `TimedOut` after some minutes."""
        try:
            return await asyncio.wait_for(self._answer, _SECONDS)
        except TimeoutError:
            raise TimedOut("Nobody signed in", action="Run `trawl login` again, and sign in in the browser") from None

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            # All of it: a connection that is closed with something unread is reset, and the browser shows an error.
            request = await reader.readuntil(b"\r\n\r\n")
            line = request.partition(b"\r\n")[0].decode("latin-1").split(" ")
            parameters = _parameters(line[1]) if len(line) == 3 and line[0] == "GET" else None
            if parameters is None or not hmac.compare_digest(
                parameters.get("state", "").encode(), self._state.encode()
            ):
                await _respond(writer, "400 Bad Request", "This is no answer to the sign-in that is under way.")
                return
            text = "Signed in." if "code" in parameters else "The sign-in failed."
            await _respond(writer, "200 OK", f"{text} Go back to the terminal; you can close this window.")
            if not self._answer.done():
                self._answer.set_result(parameters)
        except (OSError, ValueError, EOFError, asyncio.LimitOverrunError):
            return  # The browser left, or sent something that is no request.
        finally:
            writer.close()


def _parameters(target: str) -> dict[str, str] | None:
    parts = urlsplit(target)
    return dict(parse_qsl(parts.query)) if parts.path == _PATH else None


async def _respond(writer: asyncio.StreamWriter, status: str, text: str) -> None:
    body = text.encode()
    head = "\r\n".join([f"HTTP/1.1 {status}", *_HEADERS, f"Content-Length: {len(body)}", "", ""])
    writer.write(head.encode("ascii") + body)
    await writer.drain()
