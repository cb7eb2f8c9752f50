"""Builds GraphQL queries from the schema of a stack, for every generation of stacks."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from mcp_server.features.quilt.arguments import Order
from mcp_server.features.quilt.failures import StackChanged, unsupported
from mcp_server.features.quilt.graphql.filters import metadata_filters, system_filter
from mcp_server.features.quilt.graphql.schema import NEXT_PAGE_FIELDS, SEARCH_FIELDS, Stack
from mcp_server.features.quilt.query.catalog_query import CatalogQuery
from mcp_server.features.quilt.results import Kind

BUCKETS: Final = {"query": "query Buckets { bucketConfigs { name } }"}
_HIT_FIELDS: Final[dict[Kind, tuple[str, ...]]] = {
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
class GraphqlPageRequest:
    """A page of one kind of result: the first one, or the one after a cursor of the catalog."""

    kind: Kind
    size: int | None
    """None requests only the total."""
    after: str | None = None


@dataclass(slots=True)
class _QueryBuilder:
    """Collects the variables of a query."""

    stack: Stack
    declarations: list[str] = field(default_factory=list)
    variables: dict[str, Any] = field(default_factory=dict)

    def arguments(self, kind: Kind, argument_types: dict[str, str], values: dict[str, Any]) -> str:
        """Render a field's arguments as variables, with the types from the schema."""
        present = {name: value for name, value in values.items() if value is not None}
        if unknown := [name for name in present if name not in argument_types]:
            raise unsupported(
                f"This catalog's search does not take {', '.join(unknown)}", "Leave that condition out of the search"
            )
        for name, value in present.items():
            self.declarations.append(f"${kind}_{name}: {argument_types[name]}")
            self.variables[f"{kind}_{name}"] = value
        rendered = ", ".join(f"{name}: ${kind}_{name}" for name in present)
        return f"({rendered})" if rendered else ""


def search_body(stack: Stack, query: CatalogQuery, requests: Sequence[GraphqlPageRequest]) -> dict[str, Any]:
    """Return the body of one request for all of these pages."""
    builder = _QueryBuilder(stack)
    parts = [
        _search_field(builder, query, request) if request.after is None else _next_page_field(builder, request)
        for request in requests
    ]
    declarations = f"({', '.join(builder.declarations)})" if builder.declarations else ""
    return {"query": f"query Search{declarations} {{ {' '.join(parts)} }}", "variables": builder.variables}


def _search_field(builder: _QueryBuilder, query: CatalogQuery, request: GraphqlPageRequest) -> str:
    stack, kind = builder.stack, request.kind
    search = stack.query_field(SEARCH_FIELDS[kind])
    result_type = stack.type_with_fields(search.returned_type, "total", "firstPage")
    if result_type is None:
        raise StackChanged
    conditions = query.conditions[kind]
    filter_type = search.arguments.get("filter", "").strip("[]!")
    values: dict[str, Any] = {
        "buckets": None if query.bucket is None else [query.bucket],
        "searchString": query.text,
        "filter": system_filter(kind, conditions, stack.inputs.get(filter_type, frozenset())),
        "userMetaFilters": metadata_filters(conditions),
        # Without it every revision of a package is a separate result.
        "latestOnly": True if "latestOnly" in search.arguments else None,
    }
    arguments = builder.arguments(kind, search.arguments, values)
    page = "" if request.size is None else _first_page_selection(builder, query, request, result_type)
    return (
        f"{kind}: {SEARCH_FIELDS[kind]}{arguments} {{ __typename ... on {result_type} {{ total {page} }} "
        f"{_error_selection(stack, search.returned_type)} }}"
    )


def _first_page_selection(
    builder: _QueryBuilder, query: CatalogQuery, request: GraphqlPageRequest, result_type: str
) -> str:
    page = builder.stack.fields[result_type]["firstPage"]
    values: dict[str, Any] = {"size": request.size if "size" in page.arguments else None}
    if "ordering" in page.arguments:
        values["ordering"] = _ORDERINGS[query.order]
    else:
        values["order"] = _ORDERS[query.order]
    arguments = builder.arguments(request.kind, page.arguments, values)
    return f"firstPage{arguments} {_page_selection(builder.stack, request.kind, page.returned_type)}"


def _next_page_field(builder: _QueryBuilder, request: GraphqlPageRequest) -> str:
    next_page = builder.stack.query_field(NEXT_PAGE_FIELDS[request.kind])
    values = {"after": request.after, "size": request.size if "size" in next_page.arguments else None}
    arguments = builder.arguments(request.kind, next_page.arguments, values)
    selection = _page_selection(builder.stack, request.kind, next_page.returned_type)
    return f"{request.kind}: {NEXT_PAGE_FIELDS[request.kind]}{arguments} {selection}"


def _page_selection(stack: Stack, kind: Kind, returned_type: str) -> str:
    """Select a page; older stacks return the page itself, newer ones a union of page and errors."""
    page = stack.type_with_fields(returned_type, "hits")
    if page is None:
        raise StackChanged
    hit_fields = stack.fields.get(stack.fields[page]["hits"].returned_type, {})
    selected = f"cursor hits {{ {' '.join(name for name in _HIT_FIELDS[kind] if name in hit_fields)} }}"
    if returned_type == page:
        return f"{{ __typename {selected} }}"
    return f"{{ __typename ... on {page} {{ {selected} }} {_error_selection(stack, returned_type)} }}"


def _error_selection(stack: Stack, returned_type: str) -> str:
    """Select the error types that this stack has."""
    possible_types = stack.possible_types(returned_type)
    parts = []
    if "InvalidInput" in possible_types:
        parts.append("... on InvalidInput { errors { path name } }")
    if "OperationError" in possible_types:
        parts.append("... on OperationError { name }")
    return " ".join(parts)
