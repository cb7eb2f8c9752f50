"""GraphQL queries in the form that a stack understands, whatever its generation."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from mcp_server.features.quilt.arguments import Order
from mcp_server.features.quilt.failures import StackChanged, unsupported
from mcp_server.features.quilt.graphql.filters import metadata_filters, system_filter
from mcp_server.features.quilt.graphql.schema import MORE, SEARCHES, Stack
from mcp_server.features.quilt.query.question import Question
from mcp_server.features.quilt.results import Kind

BUCKETS: Final = {"query": "query Buckets { bucketConfigs { name } }"}
_HIT: Final[dict[Kind, tuple[str, ...]]] = {
    "object": ("id", "score", "bucket", "key", "version", "size", "modified"),
    "package": ("id", "score", "bucket", "name", "hash", "size", "modified", "comment", "meta"),
}
_ORDERS: Final[dict[Order, str]] = {"best": "BEST_MATCH", "newest": "NEWEST", "oldest": "OLDEST", "name": "LEX_ASC"}
_ORDERINGS: Final[dict[Order, str | None]] = {
    "best": None,
    "newest": "sys:modified:desc",
    "oldest": "sys:modified:asc",
    "name": "sys:name:asc",
}


@dataclass(frozen=True, slots=True)
class Ask:
    """A page of one kind of result: the first one, or what comes after a cursor of the catalog."""

    kind: Kind
    size: int | None
    """None for their number alone."""
    after: str | None = None


@dataclass(slots=True)
class _Query:
    """Fields of the query, and the variables that they use."""

    stack: Stack
    declared: list[str] = field(default_factory=list)
    variables: dict[str, Any] = field(default_factory=dict)

    def arguments(self, kind: Kind, known: dict[str, str], wanted: dict[str, Any]) -> str:
        """Write a field's arguments as variables, each of the type that the stack says."""
        given = {name: value for name, value in wanted.items() if value is not None}
        if unknown := [name for name in given if name not in known]:
            raise unsupported(
                f"This catalog's search does not take {', '.join(unknown)}", "Leave that condition out of the search"
            )
        for name, value in given.items():
            self.declared.append(f"${kind}_{name}: {known[name]}")
            self.variables[f"{kind}_{name}"] = value
        written = ", ".join(f"{name}: ${kind}_{name}" for name in given)
        return f"({written})" if written else ""


def search_body(stack: Stack, question: Question, asks: Sequence[Ask]) -> dict[str, Any]:
    """Return one request for all of these pages."""
    query = _Query(stack)
    parts = [_first(query, question, ask) if ask.after is None else _more(query, ask) for ask in asks]
    declared = f"({', '.join(query.declared)})" if query.declared else ""
    return {"query": f"query Search{declared} {{ {' '.join(parts)} }}", "variables": query.variables}


def _first(query: _Query, question: Question, ask: Ask) -> str:
    stack, kind = query.stack, ask.kind
    search = stack.asked(SEARCHES[kind])
    results = stack.option_with(search.returns, "total", "firstPage")
    if results is None:
        raise StackChanged
    conditions = question.conditions[kind]
    filter_type = search.arguments.get("filter", "").strip("[]!")
    wanted: dict[str, Any] = {
        "buckets": None if question.bucket is None else [question.bucket],
        "searchString": question.text,
        "filter": system_filter(kind, conditions, stack.inputs.get(filter_type, frozenset())),
        "userMetaFilters": metadata_filters(conditions),
        # Without it every revision of a package would be a result of its own.
        "latestOnly": True if "latestOnly" in search.arguments else None,
    }
    arguments = query.arguments(kind, search.arguments, wanted)
    page = "" if ask.size is None else _first_page(query, question, ask, results)
    return (
        f"{kind}: {SEARCHES[kind]}{arguments} {{ __typename ... on {results} {{ total {page} }} "
        f"{_errors(stack, search.returns)} }}"
    )


def _first_page(query: _Query, question: Question, ask: Ask, results: str) -> str:
    page = query.stack.fields[results]["firstPage"]
    wanted: dict[str, Any] = {"size": ask.size if "size" in page.arguments else None}
    if "ordering" in page.arguments:
        wanted["ordering"] = _ORDERINGS[question.order]
    else:
        wanted["order"] = _ORDERS[question.order]
    return f"firstPage{query.arguments(ask.kind, page.arguments, wanted)} {_page(query.stack, ask.kind, page.returns)}"


def _more(query: _Query, ask: Ask) -> str:
    more = query.stack.asked(MORE[ask.kind])
    wanted = {"after": ask.after, "size": ask.size if "size" in more.arguments else None}
    arguments = query.arguments(ask.kind, more.arguments, wanted)
    return f"{ask.kind}: {MORE[ask.kind]}{arguments} {_page(query.stack, ask.kind, more.returns)}"


def _page(stack: Stack, kind: Kind, returned: str) -> str:
    """Select a page, which older stacks return as it is and newer ones as one of several things."""
    page = stack.option_with(returned, "hits")
    if page is None:
        raise StackChanged
    hit = stack.fields.get(stack.fields[page]["hits"].returns, {})
    selected = f"cursor hits {{ {' '.join(name for name in _HIT[kind] if name in hit)} }}"
    if returned == page:
        return f"{{ __typename {selected} }}"
    return f"{{ __typename ... on {page} {{ {selected} }} {_errors(stack, returned)} }}"


def _errors(stack: Stack, returned: str) -> str:
    """Select what went wrong, by the errors that this stack knows of."""
    options = stack.options(returned)
    parts = []
    if "InvalidInput" in options:
        parts.append("... on InvalidInput { errors { path name } }")
    if "OperationError" in options:
        parts.append("... on OperationError { name }")
    return " ".join(parts)
