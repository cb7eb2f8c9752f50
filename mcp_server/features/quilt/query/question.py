"""A search as both backends understand it, checked before anything goes out."""

import re
from dataclasses import dataclass
from typing import Final

from mcp_server.features.quilt.arguments import Order, SearchCatalog
from mcp_server.features.quilt.failures import invalid
from mcp_server.features.quilt.query.conditions import Condition, conditions_of
from mcp_server.features.quilt.query.typed_query import sendable
from mcp_server.features.quilt.results import Kind

_LONGEST: Final = 2_000
_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_BUCKET: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,254}\Z")
_SCHEME: Final = "s3://"


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked of the catalog, without where a page begins."""

    text: str | None
    """None for everything."""
    bucket: str | None
    conditions: dict[Kind, tuple[Condition, ...]]
    """For each kind of result that is wanted."""
    order: Order

    @property
    def kinds(self) -> tuple[Kind, ...]:
        return tuple(self.conditions)


def question_of(arguments: SearchCatalog) -> Question:
    """Check a search and return it."""
    text = arguments.query.strip()
    if len(text) > _LONGEST:
        raise invalid(f"The query is longer than {_LONGEST:,} characters", "Shorten the query")
    if _SURROGATE.search(text):
        raise invalid("The query has half a surrogate pair", "Send whole characters")
    if arguments.count_only and arguments.cursor is not None:
        raise invalid("count_only takes no cursor", "Leave out the cursor to count, or count_only to read on")
    return Question(
        text=None if text in {"", "*"} else sendable(text),
        bucket=None if arguments.bucket is None else bucket_name(arguments.bucket),
        conditions=conditions_of(arguments.filters, arguments.scope),
        order=arguments.order,
    )


def bucket_name(given: str) -> str:
    """Return a bucket's plain name, also of its address."""
    name = given.strip().removeprefix(_SCHEME).rstrip("/")
    if not _BUCKET.match(name):
        raise invalid(
            "That is no name of a bucket", "Give one bucket's plain name, without s3://, slashes, commas or wildcards"
        )
    return name
