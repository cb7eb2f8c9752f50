"""What a bucket holds, as S3 lists it: no search, and never shown as one. Credentials are boto3's own (`AWS_*`)."""

from datetime import UTC
from typing import TYPE_CHECKING, Any, Final

from indexer.errors import Authentication, Authorization, NotFound, PlatformError, Unavailable
from indexer.text.clean import clean_text
from mcp_server.features.quilt.arguments import ListObjects
from mcp_server.features.quilt.failures import invalid
from mcp_server.features.quilt.hits import object_uri
from mcp_server.features.quilt.query.question import bucket_name
from mcp_server.features.quilt.results import ListedObject, ListObjectsResult

if TYPE_CHECKING:
    from types_boto3_s3.client import S3Client
    from types_boto3_s3.type_defs import ListObjectsV2RequestTypeDef

SEARCH: Final = {"search_catalog": "Search the catalog's index instead"}
_DENIED: Final = frozenset({"AccessDenied", "AllAccessDisabled", "403", "Forbidden"})
_WRONG_KEYS: Final = frozenset({"InvalidAccessKeyId", "SignatureDoesNotMatch", "ExpiredToken", "InvalidToken"})
_MISSING: Final = frozenset({"NoSuchBucket", "404", "NotFound"})
_REFUSED: Final = frozenset({"InvalidArgument", "InvalidBucketName", "InvalidRequest"})


class Listing:
    """Lists buckets. Blocking, so it runs in a thread; boto3 is slow to load, so that waits for the first use."""

    def __init__(self) -> None:
        self._client: S3Client | None = None

    def list(self, arguments: ListObjects) -> ListObjectsResult:
        """Return one part of a bucket's listing."""
        from botocore.exceptions import BotoCoreError, ClientError  # noqa: PLC0415 - see above

        bucket, prefix = bucket_name(arguments.bucket), arguments.prefix or ""
        request: ListObjectsV2RequestTypeDef = {"Bucket": bucket, "Prefix": prefix, "MaxKeys": arguments.max_keys}
        if arguments.continuation_token is not None:
            request["ContinuationToken"] = arguments.continuation_token
        try:
            answer = self._opened().list_objects_v2(**request)
        except (BotoCoreError, ClientError, ValueError, UnicodeError) as error:
            raise _failure(error) from None
        return ListObjectsResult(
            success=True,
            bucket=bucket,
            prefix=prefix,
            objects=[_listed(bucket, found) for found in answer.get("Contents", [])],
            is_listing=True,
            next_continuation_token=answer.get("NextContinuationToken"),
        )

    def _opened(self) -> "S3Client":
        if self._client is None:
            import boto3  # noqa: PLC0415 - see above
            from botocore.config import Config  # noqa: PLC0415 - see above

            settings = Config(connect_timeout=10, read_timeout=30, retries={"mode": "standard", "max_attempts": 2})
            self._client = boto3.session.Session().client("s3", config=settings)
        return self._client


def _listed(bucket: str, found: Any) -> ListedObject:
    modified = found["LastModified"].astimezone(UTC).isoformat().removesuffix("+00:00") + "Z"
    key = found["Key"]
    return ListedObject(key=clean_text(key), size=found["Size"], last_modified=modified, s3_uri=object_uri(bucket, key))


def _failure(error: Exception) -> PlatformError:
    """Say what to do; what S3 said is not repeated, since it may name keys and accounts."""
    response = getattr(error, "response", None) or {}
    code = str(response.get("Error", {}).get("Code", ""))
    kind = type(error).__name__
    if kind in {"NoCredentialsError", "PartialCredentialsError", "ProfileNotFound"} or code in _WRONG_KEYS:
        return Authentication(
            "S3 needs credentials that work",
            action="Give the service AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, a profile or a role",
            command="AWS_PROFILE=<profile> trawl serve",
        )
    if code in _DENIED:
        return Authorization(
            "S3 denies access to the bucket",
            action="Let the service's credentials list it (s3:ListBucket), or list another one",
        )
    if code in _MISSING:
        return NotFound(
            "The bucket does not exist",
            action="Check its name, and AWS_ENDPOINT_URL_S3 if it is not at AWS",
        )
    if code in _REFUSED or kind in {"ParamValidationError", "UnicodeEncodeError"}:
        return invalid(
            "S3 cannot read the bucket's name, the prefix or the continuation token",
            "Give the plain name, and a token only with the bucket and prefix that it came from",
        )
    return Unavailable(
        "S3 does not answer as it should",
        action="Try again later; the operator can check AWS_ENDPOINT_URL_S3 and AWS_REGION",
    )
