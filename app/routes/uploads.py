"""`POST /api/v1/archives/upload`: files in a form, streamed to disk, read by a job."""

import asyncio
import threading
from collections.abc import AsyncIterator, Iterator
from itertools import chain
from typing import Any, Final, Self

from fastapi import FastAPI, Request
from starlette.responses import Response

from app.answers import answer
from app.multipart import Part, parts
from app.uploads import Uploads
from indexer.errors import Failure, Invalid
from indexer.tenancy import MAIN, Principal
from workers.job_results import JobStarted
from workers.sources.staging import DEFAULT_ROOT

UPLOAD_PATH: Final = "/api/v1/archives/upload"
_LONGEST_FIELD: Final = 1_000
_LOOKS_AGAIN_SECONDS: Final = 1.0
_AT_ONCE: Final = 1 << 20
_BODY: Final[dict[str, Any]] = {
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


def add_uploads(app: FastAPI) -> None:
    """Offer the route."""
    app.add_api_route(
        UPLOAD_PATH,
        upload,
        methods=["POST"],
        name="archive_upload",
        operation_id="archive_upload",
        summary="Send files, or zip and tar files of them, into the archive",
        response_model=JobStarted,
        responses={"default": {"model": Failure, "description": "A failure, and what to do about it"}},
        openapi_extra={"requestBody": _BODY},
        tags=["archives"],
    )


async def upload(request: Request) -> Response:
    """Take the files as they come in; the answer names the job."""
    uploads: Uploads = request.app.state.uploads
    content_type = request.headers.get("content-type", "")
    with _Pulled(request.stream()) as body:
        # a thread of its own: a slow sender must not keep those of searches
        started = await asyncio.get_running_loop().run_in_executor(
            request.app.state.upload_threads, take_form, uploads, MAIN, content_type, body.pieces()
        )
    return answer(started)


def take_form(uploads: Uploads, principal: Principal, content_type: str, body: Iterator[bytes]) -> JobStarted:
    """Read the fields, then the files behind them."""
    fields: dict[str, str] = {}
    form = parts(content_type, body)
    for part in form:
        if part.filename is not None:
            files = _files(chain([part], form))
            root, mirror = fields.get("root", DEFAULT_ROOT), _truth(fields.get("mirror", "false"))
            return uploads.take(principal, files, root=root, origin=fields.get("origin"), mirror=mirror)
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
    """A stream of the event loop, read from a thread; leaving the block ends a reader that still waits."""

    def __init__(self, stream: AsyncIterator[bytes]) -> None:
        self._stream = stream
        self._loop = asyncio.get_running_loop()
        self._ended = threading.Event()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
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
