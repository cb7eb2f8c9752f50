"""The query that both backends take, checked before any request is sent."""

import re
from dataclasses import dataclass
from typing import Final

from mcp_server.features.quilt.arguments import Order, SearchCatalog
from mcp_server.features.quilt.failures import invalid
from mcp_server.features.quilt.query.conditions import Condition, parse_conditions
from mcp_server.features.quilt.query.typed_query import to_valid_lucene
from mcp_server.features.quilt.results import Kind

_MAX_QUERY_LENGTH: Final = 2_000
_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_BUCKET_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,254}\Z")
_SCHEME: Final = "s3://"


@dataclass(frozen=True, slots=True)
class CatalogQuery:
    """A search of the catalog without its page."""

    text: str | None
    """None for everything."""
    bucket: str | None
    conditions: dict[Kind, tuple[Condition, ...]]
    """By the kind of result; only requested kinds are included."""
    order: Order

    @property
    def kinds(self) -> tuple[Kind, ...]:
        return tuple(self.conditions)


def build_catalog_query(arguments: SearchCatalog) -> CatalogQuery:
    """Check the arguments of a search and return its query."""
    text = arguments.query.strip()
    if len(text) > _MAX_QUERY_LENGTH:
        raise invalid(f"The query is longer than {_MAX_QUERY_LENGTH:,} characters", "Shorten the query")
    if _SURROGATE.search(text):
        raise invalid("The query has half a surrogate pair", "Send whole characters")
    if arguments.count_only and arguments.cursor is not None:
        raise invalid("count_only takes no cursor", "Leave out the cursor to count, or count_only to read on")
    return CatalogQuery(
        text=None if text in {"", "*"} else to_valid_lucene(text),
        bucket=None if arguments.bucket is None else bucket_name(arguments.bucket),
        conditions=parse_conditions(arguments.filters, arguments.scope),
        order=arguments.order,
    )


def bucket_name(bucket: str) -> str:
    """Return a bucket's plain name, with or without s3:// in front."""
    name = bucket.strip().removeprefix(_SCHEME).rstrip("/")
    if not _BUCKET_NAME.match(name):
        raise invalid(
            "That is no name of a bucket", "Give one bucket's plain name, without s3://, slashes, commas or wildcards"
        )
    return name
