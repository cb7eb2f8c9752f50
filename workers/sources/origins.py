"""How buckets and uploads are identified in the archive, which stores it with each document as `root`."""

from typing import Final

BUCKET: Final = "s3:"
UPLOAD: Final = "upload:"


def bucket_origin(bucket: str) -> str:
    """Return the identity of a bucket, whatever the prefix."""
    return f"{BUCKET}{bucket}"


def upload_origin(root_name: str) -> str:
    """Return the identity of uploads that name no origin: those with the same root share it."""
    return f"{UPLOAD}{root_name}"
