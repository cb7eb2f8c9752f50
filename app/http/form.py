"""Upload forms, streamed: the fields are parsed first, the files are read while they are stored."""

import asyncio
import threading
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import Executor
from itertools import chain
from typing import Any, Final, Self

from starlette.requests import Request

from app.http.multipart import Part, parse_parts
from indexer.errors import Invalid
from mcp_server.features.archives.upload import ArchiveUpload
from workers.uploads import DEFAULT_ROOT

_MAX_FIELD_LENGTH: Final = 1_000
_POLL_SECONDS: Final = 1.0
_BUFFER_BYTES: Final = 1 << 20
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


class UploadForm:
    """The form in a request, as a context manager: its exit ends a thread that still waits for the body."""

    def __init__(self, request: Request, threads: Executor) -> None:
        self._content_type = request.headers.get("content-type", "")
        self._body = _BodyReader(request.stream())
        self._threads = threads

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._body.stop()

    async def read(self) -> ArchiveUpload:
        """Parse the fields. The files that follow are read from the returned iterator."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._threads, read_form, self._content_type, self._body.chunks())


def read_form(content_type: str, body: Iterator[bytes]) -> ArchiveUpload:
    """Parse the fields, and return them with an iterator over the files. Blocks while the body is awaited."""
    fields: dict[str, str] = {}
    form = parse_parts(content_type, body)
    for part in form:
        if part.filename is not None:
            return ArchiveUpload(
                files=_files(chain([part], form)),
                root=fields.get("root", DEFAULT_ROOT),
                origin=fields.get("origin"),
                mirror=_parse_boolean(fields.get("mirror", "false")),
            )
        if part.name not in {"root", "origin", "mirror"}:
            raise _unknown_part()
        fields[part.name] = part.read(_MAX_FIELD_LENGTH).decode(errors="replace")
    raise Invalid("There are no files in this form", action="Send at least one file as a part named `files`")


def _files(form: Iterator[Part]) -> Iterator[tuple[str, Part]]:
    for part in form:
        if part.name != "files" or part.filename is None:
            raise _unknown_part()
        # A browser sends an empty part if no file was chosen.
        if part.filename:
            yield part.filename, part


def _parse_boolean(text: str) -> bool:
    if text.strip().lower() not in {"true", "false"}:
        raise Invalid("mirror must be true or false", action="Send `true` or `false` in the field mirror")
    return text.strip().lower() == "true"


def _unknown_part() -> Invalid:
    return Invalid(
        "The form holds a part that is not known here",
        action="Send the fields `root`, `origin` and `mirror` first, if at all, then the files as parts named `files`",
    )


class _BodyReader:
    """Reads an asynchronous request body from a thread."""

    def __init__(self, stream: AsyncIterator[bytes]) -> None:
        self._stream = stream
        self._loop = asyncio.get_running_loop()
        self._stopped = threading.Event()

    def stop(self) -> None:
        """End a thread that waits for the next chunk."""
        self._stopped.set()

    def chunks(self) -> Iterator[bytes]:
        while True:
            future = asyncio.run_coroutine_threadsafe(self._next_chunk(), self._loop)
            while True:
                try:
                    chunk = future.result(_POLL_SECONDS)
                    break
                except TimeoutError:
                    if self._stopped.is_set():
                        future.cancel()
                        raise
            if not chunk:
                return
            yield chunk

    async def _next_chunk(self) -> bytes:
        """Buffer several packets, so that the thread is not woken for each."""
        buffer = bytearray()
        async for packet in self._stream:
            buffer += packet
            if len(buffer) >= _BUFFER_BYTES:
                break
        return bytes(buffer)
