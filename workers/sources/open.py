"""Checks and opens every kind of source."""

import re
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from indexer.errors import Invalid, NotConfigured
from workers.sources.arguments import FolderSource, IngestSource, S3Source, UploadSource, UrlsSource
from workers.sources.folder import check_folder, open_folder
from workers.sources.interface import CacheHeaderLookup, Source, Staging
from workers.sources.rights import SourceRights
from workers.sources.settings import SourceSettings
from workers.sources.uploads.staging import UploadStaging

_BUCKET: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{1,253}[A-Za-z0-9]")


def check_source(source: IngestSource, rights: SourceRights) -> None:
    """Raise `PlatformError` for a source that no worker may read for this team.

    It contacts nothing and does not access the folder, so it also works where no job runs.
    """
    match source:
        case FolderSource():
            check_folder(source, rights)
        case UrlsSource():
            _check_urls(source.urls)
        case S3Source():
            if not _BUCKET.fullmatch(source.bucket):
                raise Invalid("That is no name of a bucket", action="Give the bucket's plain name, without s3://")
            rights.check_bucket(source.bucket, source.prefix)
        case UploadSource():
            pass


def open_source(
    source: IngestSource,
    settings: SourceSettings,
    rights: SourceRights,
    staging: Staging,
    cache_headers: CacheHeaderLookup,
) -> Source:
    """Open a source; `PlatformError` if it cannot be read here. `cache_headers` allows conditional requests."""
    check_source(source, rights)
    match source:
        case FolderSource():
            return open_folder(source, settings, rights)
        case UrlsSource():
            # Only workers fetch pages, so the service does not load the HTTP client and the parser of robots.txt.
            from workers.sources.web.fetch import Fetcher  # noqa: PLC0415 (see above)
            from workers.sources.web.guard import Guard  # noqa: PLC0415 (see above)
            from workers.sources.web.pages import UrlSource  # noqa: PLC0415 (see above)

            fetcher = Fetcher(Guard.allowing(settings.fetch_allow), settings.fetch_timeout)
            return UrlSource(source.urls, fetcher, settings.max_page_bytes, cache_headers)
        case S3Source():
            from workers.sources.s3 import open_objects  # noqa: PLC0415 (boto3 is slow to import, and rarely needed)

            return open_objects(source, settings.max_file_bytes, rights.s3)
        case UploadSource():
            if not isinstance(staging, UploadStaging):
                raise NotConfigured("Uploads cannot be read here", action="Open the staging by open_staging")
            return staging.open_upload(rights.team, source.staged, settings)


def open_staging(data_dir: Path) -> UploadStaging:
    """Return the staging area in the data folder; the first upload creates it on disk."""
    return UploadStaging(data_dir / "uploads")


def _check_urls(urls: list[str]) -> None:
    """Refuse other schemes and credentials before a job's record stores them."""
    wrong = [number for number, url in enumerate(urls, 1) if not _is_allowed_url(url)]
    if wrong:
        raise Invalid(
            "Only addresses that start with http:// or https://, without user name and password, can be fetched",
            action="Correct or leave out the addresses at details.positions",
            details={"positions": wrong[:100]},
        )


def _is_allowed_url(url: str) -> bool:
    try:
        parts = urlsplit(url.strip())
        return parts.scheme in {"http", "https"} and bool(parts.hostname) and "@" not in parts.netloc
    except ValueError:
        return False
