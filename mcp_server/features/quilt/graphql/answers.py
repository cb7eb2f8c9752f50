"""What GraphQL answered: one of several things for each search, an error among them."""

from dataclasses import dataclass
from typing import Any, Final

from indexer.errors import ExpiredView, PlatformError, TimedOut
from indexer.text.clean import clean_text
from indexer.text.truncate import shorten_text
from mcp_server.features.quilt.failures import WORDING, Broken, Unreadable, invalid_query, not_permitted
from mcp_server.features.quilt.graphql.queries import Ask
from mcp_server.features.quilt.hits import object_hit, package_hit
from mcp_server.features.quilt.results import CatalogHit, Kind

_SHOWN: Final = 80
_DENIED: Final = ("denied", "forbidden", "permission", "unauthorized", "notallowed")


@dataclass(frozen=True, slots=True)
class Answered:
    """One page of one kind of result."""

    hits: list[CatalogHit]
    cursor: str | None
    total: int | None


def answered(ask: Ask, answer: Any) -> Answered:
    """Read the answer to one search; every error in it is raised."""
    match answer:
        case {"__typename": "EmptySearchResultSet"}:
            return Answered([], None, 0)
        case {"__typename": "InvalidInput" | "OperationError"}:
            raise _failure(ask, answer)
        case {"total": int(total), "firstPage": page}:
            return _page(ask, page, total)
        case {"total": int(total)} if ask.size is None:
            return Answered([], None, total)
        case {"hits": _}:
            return _page(ask, answer, None)
        case _:
            raise Unreadable


def _page(ask: Ask, page: Any, total: int | None) -> Answered:
    match page:
        case {"__typename": "InvalidInput" | "OperationError"}:
            raise _failure(ask, page)
        case {"hits": list(hits)}:
            cursor = page.get("cursor")
            return Answered([_hit(ask.kind, hit) for hit in hits], cursor if isinstance(cursor, str) else None, total)
        case _:
            raise Unreadable


def _hit(kind: Kind, hit: Any) -> CatalogHit:
    try:
        common = {name: hit.get(name) for name in ("id", "score", "size", "modified")} | {"bucket": str(hit["bucket"])}
        if kind == "object":
            return object_hit(**common, key=str(hit["key"]), version=hit.get("version"))
        name = str(hit["name"])
        return package_hit(
            **common, name=name, hash=hit.get("hash"), metadata=hit.get("meta"), comment=hit.get("comment")
        )
    except (AttributeError, KeyError, TypeError):
        raise Broken("The registry answered with a result that has no name") from None


def _failure(ask: Ask, answer: dict[str, Any]) -> PlatformError:
    if ask.after is not None:
        return ExpiredView()  # nothing else is asked of the catalog than to go on from its own cursor
    if answer["__typename"] == "InvalidInput":
        errors = answer.get("errors")
        return invalid_query([_told(error) for error in errors[:10]] if isinstance(errors, list) else [])
    name = str(answer.get("name", "")).lower()
    if "timeout" in name.replace("_", ""):
        return TimedOut(WORDING.timed_out, action="Ask for less, or try again later")
    if any(word in name.replace("_", "") for word in _DENIED):
        return not_permitted()
    return Broken("The registry could not carry the search out")


def _told(error: Any) -> dict[str, str]:
    """Return where the catalog sees an error and what it calls it; its message may repeat the query."""
    given = error if isinstance(error, dict) else {}
    return {name: shorten_text(clean_text(str(given.get(name) or "")), _SHOWN) for name in ("path", "name")}
