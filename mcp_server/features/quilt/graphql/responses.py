"""Parses GraphQL responses; each search returns a page or one of several error types."""

from dataclasses import dataclass
from typing import Any, Final

from indexer.errors import ExpiredView, PlatformError, TimedOut
from indexer.text.clean import clean_text
from indexer.text.truncate import shorten_text
from mcp_server.features.quilt.failures import (
    ERROR_MESSAGES,
    CatalogFailed,
    UnexpectedResponse,
    invalid_query,
    not_permitted,
)
from mcp_server.features.quilt.graphql.queries import GraphqlPageRequest
from mcp_server.features.quilt.hits import object_hit, package_hit
from mcp_server.features.quilt.results import CatalogHit, Kind

_MAX_ERROR_LENGTH: Final = 80
_DENIED_WORDS: Final = ("denied", "forbidden", "permission", "unauthorized", "notallowed")


@dataclass(frozen=True, slots=True)
class GraphqlPage:
    """One page of one kind of result."""

    hits: list[CatalogHit]
    cursor: str | None
    total: int | None


def parse_page(request: GraphqlPageRequest, response: Any) -> GraphqlPage:
    """Parse the response to one search; an error in it is raised."""
    match response:
        case {"__typename": "EmptySearchResultSet"}:
            return GraphqlPage([], None, 0)
        case {"__typename": "InvalidInput" | "OperationError"}:
            raise _failure(request, response)
        case {"total": int(total), "firstPage": page}:
            return _parse_results(request, page, total)
        case {"total": int(total)} if request.size is None:
            return GraphqlPage([], None, total)
        case {"hits": _}:
            return _parse_results(request, response, None)
        case _:
            raise UnexpectedResponse


def _parse_results(request: GraphqlPageRequest, page: Any, total: int | None) -> GraphqlPage:
    match page:
        case {"__typename": "InvalidInput" | "OperationError"}:
            raise _failure(request, page)
        case {"hits": list(hits)}:
            cursor = page.get("cursor")
            return GraphqlPage(
                [_parse_hit(request.kind, hit) for hit in hits], cursor if isinstance(cursor, str) else None, total
            )
        case _:
            raise UnexpectedResponse


def _parse_hit(kind: Kind, hit: Any) -> CatalogHit:
    try:
        common = {name: hit.get(name) for name in ("id", "score", "size", "modified")} | {"bucket": str(hit["bucket"])}
        if kind == "object":
            return object_hit(**common, key=str(hit["key"]), version=hit.get("version"))
        name = str(hit["name"])
        return package_hit(
            **common, name=name, hash=hit.get("hash"), metadata=hit.get("meta"), comment=hit.get("comment")
        )
    except (AttributeError, KeyError, TypeError):
        raise CatalogFailed("The registry answered with a result that has no name") from None


def _failure(request: GraphqlPageRequest, response: dict[str, Any]) -> PlatformError:
    if request.after is not None:
        return ExpiredView()  # such a request has only the catalog's own cursor, so nothing else can be wrong
    if response["__typename"] == "InvalidInput":
        errors = response.get("errors")
        return invalid_query([_error_summary(error) for error in errors[:10]] if isinstance(errors, list) else [])
    name = str(response.get("name", "")).lower()
    if "timeout" in name.replace("_", ""):
        return TimedOut(ERROR_MESSAGES.timed_out, action="Ask for less, or try again later")
    if any(word in name.replace("_", "") for word in _DENIED_WORDS):
        return not_permitted()
    return CatalogFailed("The registry could not carry the search out")


def _error_summary(error: Any) -> dict[str, str]:
    """Return the path and the name of an error, but not its message, which may repeat the query."""
    fields = error if isinstance(error, dict) else {}
    return {name: shorten_text(clean_text(str(fields.get(name) or "")), _MAX_ERROR_LENGTH) for name in ("path", "name")}
