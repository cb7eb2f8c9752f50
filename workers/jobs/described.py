"""What a job's record says of its source: the name that people know it by, and its origins in the archive."""

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final
from urllib.parse import urlsplit

from indexer.archives.citations.addresses import exact
from indexer.text.truncate import shorten_text
from workers.jobs.records import Job
from workers.jobs.results import JobSource
from workers.sources import names
from workers.sources.folder import folder_origin
from workers.sources.origins import bucket_origin

_MAX_NAME: Final = 200
_UNNAMED_UPLOAD: Final = "upload"


def source_of(job: Job) -> JobSource | None:
    """Return what an ingestion reads; None for a re-index."""
    if job.source is None:
        return None
    name = names.shown([_name(job.source)])
    return JobSource(type=job.source["type"], name=shorten_text(name, _MAX_NAME))


def origins_of(job: Job) -> frozenset[str]:
    """Return the origins of the documents that an ingestion may write; pages have the origin of their host."""
    source = job.source or {}
    match source.get("type"):
        case "folder":
            return frozenset({folder_origin(source["path"])})
        case "s3":
            return frozenset({bucket_origin(source["bucket"])})
        case "urls":
            return frozenset(_hosts(source["urls"]))
        case "upload" if source.get("origin"):
            return frozenset({source["origin"]})
        case _:
            return frozenset()


def _name(source: Mapping[str, Any]) -> str:
    match source["type"]:
        case "folder":
            return os.path.normpath(str(source["path"])).rpartition("/")[2]
        case "s3":
            return f"{source['bucket']}/{source.get('prefix', '')}".rstrip("/")
        case "urls":
            return _pages_name(source["urls"])
        case _:
            return str(source.get("name") or _UNNAMED_UPLOAD)


def _pages_name(urls: Sequence[str]) -> str:
    """Return host and path of the first address; what else it holds may be secret."""
    first = urlsplit(urls[0].strip())
    address = first.netloc.rpartition("@")[2] + first.path.rstrip("/")
    return address if len(urls) == 1 else f"{shorten_text(address, _MAX_NAME // 2)} and {len(urls) - 1:,} more"


def _hosts(urls: Sequence[str]) -> Iterator[str]:
    """Yield the hosts as documents have them. A job may have thousands of addresses, so each host is parsed once."""
    for start in {"/".join(url.strip().split("/", 3)[:3]) for url in urls}:
        address = exact(f"{start.partition('?')[0].partition('#')[0]}/")
        if address is not None:
            yield urlsplit(address).netloc
