"""Listings of the sandbox's buckets as S3 gives them (ListObjectsV2), without signatures."""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Sequence
from datetime import UTC
from typing import Final
from urllib.parse import quote
from xml.etree.ElementTree import Element, SubElement, tostring

from aiohttp import web

from app.sandbox.quilt.contents import QuiltContents, QuiltObject

_NAMESPACE: Final = "http://s3.amazonaws.com/doc/2006-03-01/"
_PARAMETERS: Final = frozenset({"list-type", "prefix", "max-keys", "continuation-token", "encoding-type"})
_MAX_KEYS: Final = 1_000
_MAX_DIGITS: Final = 9


class _Refused(Exception):
    def __init__(self, status: int, code: str, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.code = code


class ObjectListings:
    """Answers requests for listings."""

    def __init__(self, contents: QuiltContents) -> None:
        self._contents = contents

    async def answer(self, request: web.Request) -> web.Response:
        """Return a page of a bucket's listing, or an error, as XML."""
        try:
            listing = self._listing(request.match_info["bucket"], dict(request.query))
        except _Refused as refused:
            error = Element("Error")
            SubElement(error, "Code").text = refused.code
            SubElement(error, "Message").text = str(refused)
            return web.Response(body=tostring(error), status=refused.status, content_type="application/xml")
        return web.Response(body=tostring(listing), content_type="application/xml")

    def _listing(self, bucket: str, parameters: dict[str, str]) -> Element:
        if bucket not in self._contents.buckets:
            raise _Refused(404, "NoSuchBucket", "The specified bucket does not exist")
        if parameters.get("list-type") != "2" or not parameters.keys() <= _PARAMETERS:
            raise _Refused(501, "NotImplemented", "This sandbox only lists objects, by ListObjectsV2")
        prefix, token = parameters.get("prefix", ""), parameters.get("continuation-token")
        limit, after = _read_limit(parameters.get("max-keys", str(_MAX_KEYS))), _read_token(token)
        objects = self._objects(bucket, prefix, after)
        encode: Callable[[str], str] = quote if parameters.get("encoding-type") == "url" else str
        listing = Element("ListBucketResult", xmlns=_NAMESPACE)
        page = objects[:limit]
        fields = {"Name": bucket, "Prefix": encode(prefix), "MaxKeys": str(limit), "KeyCount": str(len(page))}
        fields |= {"IsTruncated": "true" if len(page) < len(objects) else "false"}
        if encode is quote:
            fields["EncodingType"] = "url"
        if page and len(page) < len(objects):
            fields["NextContinuationToken"] = urlsafe_b64encode(page[-1].key.encode()).decode()
        for name, text in fields.items():
            SubElement(listing, name).text = text
        _add_contents(listing, page, encode)
        return listing

    def _objects(self, bucket: str, prefix: str, after: str) -> list[QuiltObject]:
        living = [each for each in self._contents.objects if each.bucket == bucket and not each.deleted]
        chosen = [each for each in living if each.key.startswith(prefix) and each.key > after]
        return sorted(chosen, key=lambda each: each.key)


def _add_contents(listing: Element, objects: Sequence[QuiltObject], encode: Callable[[str], str]) -> None:
    for each in objects:
        contents = SubElement(listing, "Contents")
        modified = each.modified.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        for name, text in (("Key", encode(each.key)), ("LastModified", modified), ("Size", str(each.size))):
            SubElement(contents, name).text = text


def _read_limit(text: str) -> int:
    if not text.isdecimal() or len(text) > _MAX_DIGITS:
        raise _Refused(400, "InvalidArgument", "max-keys must be a number")
    return min(int(text), _MAX_KEYS)


def _read_token(token: str | None) -> str:
    """Return the key after which a listing goes on."""
    if token is None:
        return ""
    try:
        return urlsafe_b64decode(token).decode()
    except ValueError:
        raise _Refused(400, "InvalidArgument", "The continuation token provided is incorrect") from None
