"""A form with files as it comes in: its fields are read first, its files while they are stored."""

import asyncio
import threading
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import Executor
from itertools import chain
from typing import Any, Final, Self

from starlette.requests import Request

from app.http.multipart import Part, parts
from indexer.errors import Invalid
from mcp_server.features.archives.upload import ArchiveUpload
from workers.uploads import DEFAULT_ROOT

_LONGEST_FIELD: Final = 1_000
_LOOKS_AGAIN_SECONDS: Final = 1.0
_AT_ONCE: Final = 1 << 20
FORM: Final[dict[str, Any]] = {
    "required": True,
    "content": {
        "multipart/form-data": {
            "schema": {
                "type": "object",
                "required": ["files"],
                "properties": {
                    "root": {
                        "type": "string",
                        "default": DEFAULT_ROOT,
                        "description": "Name of the folder that the files come from; before the files",
                    },
                    "origin": {
                        "type": "string",
                        "description": "Tells the folder from others of the same name, by any text; before the files",
                    },
                    "mirror": {
                        "type": "boolean",
                        "default": False,
                        "description": "Also remove documents of this folder that were not sent; before the files",
                    },
                    "files": {
                        "type": "array",
                        "items": {"type": "string", "format": "binary"},
                        "description": "Files, or zip and tar files of them; file names may hold the way below root",
                    },
                },
            }
        }
    },
}


class SentForm:
    """The form of a request, to be used as a context: leaving it ends a thread that still waits for the sender."""

    def __init__(self, request: Request, threads: Executor) -> None:
        self._content_type = request.headers.get("content-type", "")
        self._body = _Pulled(request.stream())
        self._threads = threads

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._body.end()

    async def read(self) -> ArchiveUpload:
        """Read the fields; the files behind them are read by whoever takes them."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._threads, read_form, self._content_type, self._body.pieces())


def read_form(content_type: str, body: Iterator[bytes]) -> ArchiveUpload:
    """Return what the fields say, and the files that follow; blocking, as the body is."""
    fields: dict[str, str] = {}
    form = parts(content_type, body)
    for part in form:
        if part.filename is not None:
            return ArchiveUpload(
                files=_files(chain([part], form)),
                root=fields.get("root", DEFAULT_ROOT),
                origin=fields.get("origin"),
                mirror=_truth(fields.get("mirror", "false")),
            )
        if part.name not in {"root", "origin", "mirror"}:
            raise _unknown()
        fields[part.name] = part.read(_LONGEST_FIELD).decode(errors="replace")
    raise Invalid("There are no files in this form", action="Send at least one file as a part named `files`")


def _files(form: Iterator[Part]) -> Iterator[tuple[str, Part]]:
    for part in form:
        if part.name != "files" or part.filename is None:
            raise _unknown()
        # browsers send an empty part for a form in which nothing was chosen
        if part.filename:
            yield part.filename, part


def _truth(given: str) -> bool:
    if given.strip().lower() not in {"true", "false"}:
        raise Invalid("mirror must be true or false", action="Send `true` or `false` in the field mirror")
    return given.strip().lower() == "true"


def _unknown() -> Invalid:
    return Invalid(
        "The form holds a part that is not known here",
        action="Send the fields `root`, `origin` and `mirror` first, if at all, then the files as parts named `files`",
    )


class _Pulled:
    """A stream of the event loop, read from threads."""

    def __init__(self, stream: AsyncIterator[bytes]) -> None:
        self._stream = stream
        self._loop = asyncio.get_running_loop()
        self._ended = threading.Event()

    def end(self) -> None:
        """End a reader that still waits."""
        self._ended.set()

    def pieces(self) -> Iterator[bytes]:
        while True:
            coming = asyncio.run_coroutine_threadsafe(self._next(), self._loop)
            while True:
                try:
                    piece = coming.result(_LOOKS_AGAIN_SECONDS)
                    break
                except TimeoutError:
                    if self._ended.is_set():
                        coming.cancel()
                        raise
            if not piece:
                return
            yield piece

    async def _next(self) -> bytes:
        """Gather what has come, so that the thread is not woken for every packet."""
        gathered = bytearray()
        async for piece in self._stream:
            gathered += piece
            if len(gathered) >= _AT_ONCE:
                break
        return bytes(gathered)
