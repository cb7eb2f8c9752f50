"""Lists the objects of a bucket in S3, with the team's credentials or those of the process (`AWS_*`).

A listing is not a search.
"""

from collections.abc import Sequence
from datetime import UTC
from threading import Lock
from typing import TYPE_CHECKING, Any, Final

from cachetools import LRUCache

from indexer.errors import Authentication, Authorization, NotFound, PlatformError, Unavailable
from indexer.search.truncate import truncate_page
from indexer.text.clean import clean_text
from indexer.text.truncate import SizeLimits
from mcp_server.features.quilt.arguments import ListObjects
from mcp_server.features.quilt.failures import invalid
from mcp_server.features.quilt.hits import object_uri
from mcp_server.features.quilt.query.catalog_query import bucket_name
from mcp_server.features.quilt.results import ListedObject, ListObjectsResult
from workers.source_rights import S3Settings, SourceRights, open_client

if TYPE_CHECKING:
    from types_boto3_s3.client import S3Client
    from types_boto3_s3.type_defs import ListObjectsV2RequestTypeDef

_MAX_CLIENTS: Final = 32
SEARCH_ALTERNATIVE: Final = {"search_catalog": "Search the catalog's index instead"}
_DENIED: Final = frozenset({"AccessDenied", "AllAccessDisabled", "403", "Forbidden"})
_INVALID_CREDENTIALS: Final = frozenset({"InvalidAccessKeyId", "SignatureDoesNotMatch", "ExpiredToken", "InvalidToken"})
_MISSING: Final = frozenset({"NoSuchBucket", "404", "NotFound"})
_INVALID_REQUEST: Final = frozenset({"InvalidArgument", "InvalidBucketName", "InvalidRequest"})


class ObjectLister:
    """Lists the objects of buckets. Its calls block. boto3 is slow to import, so it is imported on first use.

    `sandbox` is the address of the sandbox's buckets, which every team may list.
    """

    def __init__(self, sandbox: str | None = None) -> None:
        self._sandbox = None if sandbox is None else S3Settings(endpoint_url=sandbox, region="us-east-1", signed=False)
        self._lock = Lock()
        self._clients: LRUCache[S3Settings | None, S3Client] = LRUCache(_MAX_CLIENTS)

    def list(self, rights: SourceRights, arguments: ListObjects) -> ListObjectsResult:
        """Return one page of a bucket's listing; `Authorization` if the team may not read it."""
        bucket, prefix = bucket_name(arguments.bucket), arguments.prefix or ""
        if self._sandbox is None:
            rights.check_bucket(bucket, prefix)
        from botocore.exceptions import BotoCoreError, ClientError  # noqa: PLC0415 - imported on first use

        request: ListObjectsV2RequestTypeDef = {"Bucket": bucket, "Prefix": prefix, "MaxKeys": arguments.max_keys}
        if arguments.continuation_token is not None:
            request["ContinuationToken"] = arguments.continuation_token
        try:
            client = self._client(self._sandbox or rights.s3)
            objects, token = _list(client, request)
            page = truncate_page(objects, arguments.max_chars, _keep_whole)
            if len(page.hits) < len(objects):
                # Only S3 can say where a shorter listing goes on.
                objects, token = _list(client, {**request, "MaxKeys": len(page.hits)})
        except (BotoCoreError, ClientError, ValueError, UnicodeError) as error:
            raise _failure(error) from None
        return ListObjectsResult(
            success=True,
            bucket=bucket,
            prefix=prefix,
            objects=[*objects],
            is_listing=True,
            next_continuation_token=token,
        )

    def _client(self, settings: S3Settings | None) -> "S3Client":
        with self._lock:
            if settings not in self._clients:
                self._clients[settings] = open_client(settings, attempts=2)
            return self._clients[settings]


def _list(client: "S3Client", request: "ListObjectsV2RequestTypeDef") -> tuple[Sequence[ListedObject], str | None]:
    response = client.list_objects_v2(**request)
    objects = [_render_object(request["Bucket"], item) for item in response.get("Contents", [])]
    return objects, response.get("NextContinuationToken")


def _keep_whole(listed: ListedObject, _limits: SizeLimits) -> ListedObject:
    return listed


def _render_object(bucket: str, item: Any) -> ListedObject:
    modified = item["LastModified"].astimezone(UTC).isoformat().removesuffix("+00:00") + "Z"
    key = item["Key"]
    return ListedObject(key=clean_text(key), size=item["Size"], last_modified=modified, s3_uri=object_uri(bucket, key))


def _failure(error: Exception) -> PlatformError:
    """Return the failure for an error of boto3, without S3's own message, which may contain keys and accounts."""
    response = getattr(error, "response", None) or {}
    code = str(response.get("Error", {}).get("Code", ""))
    kind = type(error).__name__
    if kind in {"NoCredentialsError", "PartialCredentialsError", "ProfileNotFound"} or code in _INVALID_CREDENTIALS:
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
    if code in _INVALID_REQUEST or kind in {"ParamValidationError", "UnicodeEncodeError"}:
        return invalid(
            "S3 cannot read the bucket's name, the prefix or the continuation token",
            "Give the plain name, and a token only with the bucket and prefix that it came from",
        )
    return Unavailable(
        "S3 does not answer as it should",
        action="Try again later; the operator can check AWS_ENDPOINT_URL_S3 and AWS_REGION",
    )
