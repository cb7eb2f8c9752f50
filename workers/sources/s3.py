"""Objects of an S3 bucket as a source."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from botocore.exceptions import BotoCoreError, ClientError, NoCredentialsError, PartialCredentialsError

from indexer.archives.ids import file_id
from indexer.errors import Invalid, NotConfigured, NotFound, PlatformError, Unavailable
from workers.sources import names
from workers.sources.arguments import S3Source
from workers.sources.interface import Entry, FailedFile, Item, Listed
from workers.sources.origins import bucket_origin
from workers.sources.rights import S3Settings
from workers.sources.s3_client import open_client
from workers.sources.skipped import HIDDEN, NO_READER, SkippedFile

if TYPE_CHECKING:
    from types_boto3_s3.client import S3Client

_DENIED: Final = frozenset({"AccessDenied", "403", "Forbidden"})
_WRONG_CREDENTIALS: Final = frozenset({"InvalidAccessKeyId", "SignatureDoesNotMatch", "ExpiredToken", "InvalidToken"})
_MISSING: Final = frozenset({"NoSuchBucket", "NoSuchKey", "404", "NotFound"})


class S3Objects:
    """Objects with a key prefix."""

    remote = True

    def __init__(self, bucket: str, prefix: str, limit: int, client: "S3Client") -> None:
        self.origin = bucket_origin(bucket)
        self._bucket = bucket
        self._prefix = prefix
        self._limit = limit
        self._client = client

    def list(self) -> Iterator[Listed]:
        pages = self._client.get_paginator("list_objects_v2").paginate(Bucket=self._bucket, Prefix=self._prefix)
        hidden_folder = None
        try:
            for page in pages:
                for summary in page.get("Contents", []):
                    key = summary["Key"]
                    # Keys come in order, so those of a hidden folder follow each other; the folder counts once. A key
                    # that ends with a slash is a folder.
                    if key.endswith("/") or (hidden_folder is not None and key.startswith(hidden_folder)):
                        continue
                    hidden_folder = _hidden_folder(key)
                    yield self._outcome(key, summary["Size"], hidden_folder)
        except (BotoCoreError, ClientError) as error:
            raise _failure(error) from None

    def read(self, entry: Entry) -> Item | FailedFile:
        try:
            response = self._client.get_object(Bucket=self._bucket, Key=entry.locator)
            with response["Body"] as body:
                data = body.read(self._limit + 1)
        except (BotoCoreError, ClientError) as error:
            return FailedFile(entry.path, _reason(error))
        if len(data) > self._limit:
            return FailedFile(entry.path, self._too_large)
        return Item(
            data=data,
            name=entry.path.rpartition("/")[2],
            id=file_id(entry.path),
            source="research",
            origin=self.origin,
            url=None,
            fallback_date=names.date_of(entry.path, response["LastModified"].timestamp()),
        )

    def still_there(self, path: str) -> bool:  # noqa: ARG002  # required by the protocol
        """Return True: buckets are never mirrored."""
        return True

    def _outcome(self, key: str, size: int, hidden_folder: str | None) -> Entry | FailedFile | SkippedFile:
        path = names.shown((self._bucket, key))
        name = key.rpartition("/")[2]
        if hidden_folder is not None:
            return SkippedFile(names.shown((self._bucket, hidden_folder)), HIDDEN)
        if names.is_hidden(name):
            return SkippedFile(path, HIDDEN)
        if not names.is_readable(name):
            return SkippedFile(path, NO_READER, names.kind(name))
        if reason := names.name_problem(key):
            return FailedFile(path, reason)
        if size > self._limit:
            return FailedFile(path, self._too_large)
        return Entry(path, key, size)

    @property
    def _too_large(self) -> str:
        return f"is larger than {self._limit / 1e6:g} MB"


def _hidden_folder(key: str) -> str | None:
    """Return the outermost hidden folder of a key, with its slash."""
    parts = key.split("/")
    depth = next((depth for depth, name in enumerate(parts[:-1], 1) if names.is_hidden(name)), None)
    return None if depth is None else "/".join(parts[:depth]) + "/"


def open_objects(source: S3Source, limit: int, settings: S3Settings | None) -> S3Objects:
    """Open a bucket without a request, with the settings of a team or those of the process."""
    try:
        client = open_client(settings)
    except (BotoCoreError, ValueError):
        raise NotConfigured(
            "S3 is not configured as boto3 needs it",
            action="Correct AWS_* in the environment of the workers, or the team's section s3 in TRAWL_CONNECTIONS",
        ) from None
    return S3Objects(source.bucket, source.prefix, limit, client)


def _code(error: BotoCoreError | ClientError) -> str:
    return str(error.response.get("Error", {}).get("Code", "")) if isinstance(error, ClientError) else ""


def _failure(error: BotoCoreError | ClientError) -> PlatformError:
    """Return the error to raise; it leaves out the message of S3, which may name keys and accounts."""
    code = _code(error)
    if isinstance(error, NoCredentialsError | PartialCredentialsError):
        return NotConfigured(
            "There are no credentials for S3",
            action="Give the workers AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, a profile or a role",
        )
    if code in _WRONG_CREDENTIALS:
        return NotConfigured("S3 refuses the credentials", action="Renew the credentials of the workers (AWS_*)")
    if code in _DENIED:
        return NotConfigured(
            "S3 denies access to the bucket",
            action="Let the workers' credentials list and read it (s3:ListBucket, s3:GetObject)",
        )
    if code in _MISSING:
        return NotFound(
            "The bucket does not exist", action="Check its name, and AWS_ENDPOINT_URL_S3 if it is not at AWS"
        )
    if code == "InvalidBucketName":
        return Invalid("That is no name of a bucket", action="Give the bucket's plain name")
    return Unavailable(
        "S3 does not answer as it should", action="Try again later; check AWS_ENDPOINT_URL_S3 and AWS_REGION"
    )


def _reason(error: BotoCoreError | ClientError) -> str:
    code = _code(error)
    if code in _MISSING:
        return "is gone"
    if code in _DENIED:
        return "may not be read with the workers' credentials"
    if code == "InvalidObjectState":
        return "is in cold storage: restore it first"
    return "could not be read from S3"
