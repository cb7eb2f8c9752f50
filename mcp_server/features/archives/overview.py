"""The operation that says what the archive holds, by where it came from, and how fresh that is."""

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Final, Literal

from typing_extensions import TypedDict

from indexer.archives.overview import archive_contents
from indexer.arguments import Arguments
from indexer.schema.dates import moment
from indexer.tenancy import Principal
from mcp_server.effect import READ
from mcp_server.features.archives.operations import GROUP
from mcp_server.operation import Operation
from mcp_server.route import Route
from mcp_server.services import Services
from workers.jobs.arguments import FINISHED
from workers.jobs.results import LastJob, SourceHistory, SourceKind

_STALE: Final = timedelta(days=30)
_READ_AGAIN: Final = {
    "folder": "read the folder again",
    "urls": "fetch its pages again",
    "s3": "read the bucket again",
    "upload": "send the files again",
}


class ShowOverview(Arguments):
    """No arguments."""


class ArchiveSource(TypedDict):
    """Where documents of the archive came from, and how fresh they are."""

    type: SourceKind
    name: str
    documents: int
    last_read_at: str | None
    last_job: LastJob | None
    """None if it is not known any more."""
    action: str | None
    """What to do about it, if anything."""


class ArchiveOverview(TypedDict):
    """How many documents the archive has, and where they came from: the two hundred largest sources at most."""

    success: Literal[True]
    documents: int
    sources: list[ArchiveSource]


async def _show_overview(services: Services, principal: Principal, _: ShowOverview) -> ArchiveOverview:
    contents = await archive_contents(services.library, principal)
    histories = await asyncio.to_thread(services.background.histories, principal, contents.origins)
    return ArchiveOverview(
        success=True,
        documents=contents.documents,
        sources=[
            ArchiveSource(
                type=history["source"]["type"],
                name=history["source"]["name"],
                documents=origin.documents,
                last_read_at=history["last_read_at"],
                last_job=history["last_job"],
                action=_action(history, datetime.now(UTC)),
            )
            for origin, history in zip(contents.origins, histories, strict=True)
        ],
    )


def _action(history: SourceHistory, now: datetime) -> str | None:
    job, again = history["last_job"], _READ_AGAIN[history["source"]["type"]]
    if job is not None and job["status"] not in FINISHED:
        return None
    if job is not None and job["status"] == "failed":
        return f"The last job failed: see why, then {again}"
    if job is not None and job["status"] == "cancelled":
        return f"The last job was stopped before its end: to have the rest, {again}"
    if job is not None and job["failed"]:
        count = job["failed"]
        return f"{count:,} {'file' if count == 1 else 'files'} could not be read: see why, then try again what failed"
    read = None if history["last_read_at"] is None else moment(history["last_read_at"])
    if read is None or now - read <= _STALE:
        return None
    return f"It was read {(now - read).days} days ago: {again} to have what changed since"


OVERVIEW: Final = Operation(
    name="archive_overview",
    title="See what the archive holds",
    description="How many documents the archive has, by where they came from, when each was read and what failed.",
    group=GROUP,
    effect=READ,
    arguments=ShowOverview,
    result=ArchiveOverview,
    handler=_show_overview,
    route=Route("GET", "/api/v1/archives/overview", "Show what the archive holds, and how fresh it is"),
    text=None,
)
