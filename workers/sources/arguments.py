"""Arguments that say where documents come from."""

from typing import Annotated, Final, Literal

from pydantic import Field, TypeAdapter

from indexer.arguments import Arguments

Patterns = Annotated[list[Annotated[str, Field(min_length=1, max_length=500)]], Field(max_length=100)]


class FolderSource(Arguments):
    """A folder that the workers can see."""

    type: Literal["folder"]
    path: Annotated[str, Field(min_length=1, max_length=4_096)]
    include: Annotated[Patterns | None, Field(description="Like **/*.md")] = None
    exclude: Patterns | None = None
    ignore: Annotated[bool, Field(description="Heed .gitignore")] = True
    mirror: Annotated[bool, Field(description="Remove what is gone")] = False


class UrlsSource(Arguments):
    """Pages to fetch."""

    type: Literal["urls"]
    urls: Annotated[
        list[Annotated[str, Field(min_length=1, max_length=4_096)]],
        Field(min_length=1, max_length=10_000),
    ]


class S3Source(Arguments):
    """Objects of a bucket."""

    type: Literal["s3"]
    bucket: Annotated[str, Field(min_length=3, max_length=255)]
    prefix: Annotated[str, Field(max_length=1_024)] = ""


class UploadSource(Arguments):
    """Files that were sent and staged; made by the upload's route, never accepted from callers."""

    type: Literal["upload"]
    staged: str
    mirror: bool = False
    name: str = ""
    """What people call it; empty if an earlier version recorded it."""
    origin: str = ""
    """Identifies it in the archive; empty as above."""


AskedSource = Annotated[FolderSource | UrlsSource | S3Source, Field(discriminator="type")]
"""The sources that a caller may request."""
IngestSource = Annotated[FolderSource | UrlsSource | S3Source | UploadSource, Field(discriminator="type")]
"""The sources that a job may read."""
SOURCE: Final = TypeAdapter[IngestSource](IngestSource)
"""Reads the source in a job's record."""
