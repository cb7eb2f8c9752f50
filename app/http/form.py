"""Upload forms: the body is kept until it has arrived, without a thread; then its files are read one by one."""

import asyncio
from collections.abc import Iterator
from itertools import chain
from typing import Any, Final, Self

from starlette.requests import Request

from app.http.multipart import Part, parse_parts
from indexer.errors import Invalid
from mcp_server.features.archives.upload import ArchiveUpload
from workers.uploads import DEFAULT_ROOT, Uploads

_MAX_FIELD_LENGTH: Final = 1_000
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
    """The form in a request, as a context manager: its exit removes what was stored of the body."""

    def __init__(self, request: Request, uploads: Uploads) -> None:
        self._request = request
        self._threads = uploads.threads
        self._body = uploads.spool()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await asyncio.to_thread(self._body.discard)

    async def read(self) -> ArchiveUpload:
        """Parse the fields when the body has arrived. The files are read from the returned iterator."""
        loop = asyncio.get_running_loop()
        async for packet in self._request.stream():
            self._body.add(packet)
            if self._body.is_full:
                await loop.run_in_executor(self._threads, self._body.store)
        content_type = self._request.headers.get("content-type", "")
        return await loop.run_in_executor(self._threads, read_form, content_type, self._body.chunks())


def read_form(content_type: str, body: Iterator[bytes]) -> ArchiveUpload:
    """Parse the fields, and return them with an iterator over the files. Blocking."""
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
