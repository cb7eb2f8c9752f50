"""The operation that uploads files; the request body is streamed, not buffered."""

import asyncio
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Annotated, Any, Final

from pydantic import PrivateAttr, SkipValidation

from indexer.arguments import Arguments
from indexer.tenancy import Principal
from mcp_server.effect import INGEST
from mcp_server.features.archives.operations import GROUP
from mcp_server.operation import Operation
from mcp_server.route import Route
from mcp_server.services import Services
from workers.jobs.results import JobStarted
from workers.uploads import DEFAULT_ROOT, Readable


class ArchiveUpload(Arguments):
    """Files, as names and what their bytes are read from."""

    files: Annotated[Iterable[Any], SkipValidation]
    root: str = DEFAULT_ROOT
    origin: str | None = None
    mirror: bool = False
    _read_bytes: int = PrivateAttr(default=0)

    def counted_files(self) -> Iterator[tuple[str, Readable]]:
        """Yield the files, and count what is read of them."""
        for name, file in self.files:
            yield name, _Counted(file, self._count)

    def stored_bytes(self) -> int:
        return self._read_bytes

    def _count(self, size: int) -> None:
        self._read_bytes += size


class _Counted:
    """A file that tells how much was read of it."""

    def __init__(self, file: Readable, count: Callable[[int], None]) -> None:
        self._file = file
        self._count = count

    def read(self, size: int, /) -> bytes:
        data = self._file.read(size)
        self._count(len(data))
        return data


async def _upload(services: Services, principal: Principal, upload: ArchiveUpload) -> JobStarted:
    uploads = services.uploads
    take = partial(
        uploads.take, principal, upload.counted_files(), root=upload.root, origin=upload.origin, mirror=upload.mirror
    )
    return await asyncio.get_running_loop().run_in_executor(uploads.threads, take)


UPLOAD: Final = Operation(
    name="archive_upload",
    title="Send files into the archive",
    description="Send files, or zip and tar files of them, into the archive",
    group=GROUP,
    effect=INGEST,
    arguments=ArchiveUpload,
    result=JobStarted,
    handler=_upload,
    starts_job=True,
    route=Route(
        "POST", "/api/v1/archives/upload", "Send files, or zip and tar files of them, into the archive", is_form=True
    ),
    text=None,
    own_scope="ingest",
)
