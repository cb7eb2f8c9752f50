"""Builds the bodies of search requests; pure.

The parts that do not depend on the query are built once and cached as a `Search`, see ADR 0009.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

from elasticsearch_dsl import Search
from elasticsearch_dsl import query as dsl

from indexer.engines.cost import EXPLAINED_HITS
from indexer.engines.opensearch.mappings import sort_field
from indexer.engines.opensearch.search.compile import EXACT_MATCH, TERMS, compile_query
from indexer.engines.opensearch.search.facets import add_facets
from indexer.engines.opensearch.search.highlights import (
    highlight,
    highlight_expansions,
    highlight_own_query,
    highlighted_fields,
    needs_own_query,
)
from indexer.engines.opensearch.search.views import pit_of_view
from indexer.engines.port import Matched, SearchRequest, Target
from indexer.engines.query_parts import QueryPart
from indexer.engines.sorting import MAX_SORTED_MATCHES
from indexer.query.ast import Everything, SortKey
from indexer.query.exactness import exact_condition
from indexer.schema.definition import IndexDefinition
from indexer.tenancy import DocumentId

Body = dict[str, Any]

_CACHE_SIZE: Final = 256
"""Requests differ in their facets, sort keys and requested parts; a service sees few combinations of them."""


class _Parts(NamedTuple):
    """The parts of each hit to return."""

    source: tuple[str, ...]
    highlighted: tuple[str, ...]
    snippets: int
    explain: bool


class _Facets(NamedTuple):
    """The fields to count, and how many values of each to return."""

    fields: tuple[str, ...]
    limit: int


def search_body(target: Target, request: SearchRequest) -> Body:
    """Return the body for a page by score or by declared fields."""
    search = _ranked_search(_parts(request), _facets(request), _order(request), request.view is not None)
    search = _with_own_highlights(search, request)
    options: Body = {}
    if request.view is not None:
        options["pit"] = pit_of_view(request.view, target.physical)
    if request.after is not None:
        options["search_after"] = request.after
    return _body(search, _compiled(target, request), size=request.size, **options)


def all_matches_body(target: Target, request: SearchRequest) -> Body:
    """Return the body that fetches the ids and terms of all matches, to sort them in memory."""
    return _body(_unranked_search(_facets(request)), _compiled(target, request))


def page_body(target: Target, request: SearchRequest, ids: list[DocumentId]) -> Body:
    """Return the body that fetches these matches, scored and highlighted by the query."""
    search = _with_own_highlights(_search(_parts(request)), request)
    return _body(search, _among(target, request, ids), size=len(ids))


def fallback_highlights_body(target: Target, request: SearchRequest, ids: list[DocumentId]) -> Body | None:
    """Return the body that highlights these hits again; None if the query has nothing more to highlight."""
    if not request.snippets or not ids:
        return None
    search = highlight_expansions(_again(target, request), request.query, request.snippets)
    return None if search is None else _body(search, dsl.Ids(values=ids), size=len(ids))


def parts_body(target: Target, request: SearchRequest, ids: list[DocumentId], parts: list[QueryPart]) -> Body:
    """Return the body that scores each of these parts of the query in these hits, by its number."""
    named = [dsl.Bool(must=[compile_query(part.query)], _name=str(number)) for number, part in enumerate(parts)]
    return _body(_again(target, request), dsl.Bool(filter=[dsl.Ids(values=ids)], should=named), size=len(ids))


def explanations_body(target: Target, request: SearchRequest, ids: list[DocumentId]) -> Body:
    """Return the body that explains these hits."""
    search = _again(target, request).extra(explain=True)
    return _body(search, _among(target, request, ids), size=len(ids))


def matched_of(items: Sequence[Mapping[str, Any]], request: SearchRequest) -> list[Matched]:
    """Return how each of these hits of a request was found."""
    if isinstance(exact_condition(request.query), Everything):
        return ["exact"] * len(items)
    return ["exact" if EXACT_MATCH in item.get("matched_queries", ()) else "fuzzy" for item in items]


def first_undeclared_field(sort: tuple[SortKey, ...], definition: IndexDefinition) -> str | None:
    """Return the first sort field that is not declared, and so has no sort values on the cluster."""
    return next((key.field for key in sort if key.field not in definition.sortable), None)


@lru_cache(_CACHE_SIZE)
def _ranked_search(parts: _Parts, facets: _Facets, order: tuple[str, ...], is_in_view: bool) -> Search:
    search = _search(parts).extra(track_total_hits=True)
    add_facets(search, *facets)
    if order:
        return search.sort(*order).extra(track_scores=True)
    return search.sort("_score", "_shard_doc") if is_in_view else search


@lru_cache(_CACHE_SIZE)
def _unranked_search(facets: _Facets) -> Search:
    search = Search().extra(track_total_hits=True, size=MAX_SORTED_MATCHES)
    add_facets(search, *facets)
    return search.extra(docvalue_fields=["id", TERMS], stored_fields="_none_")


@lru_cache(_CACHE_SIZE)
def _search(parts: _Parts) -> Search:
    search = Search().source(parts.source or False).extra(version=True)
    if parts.highlighted and parts.snippets:
        search = highlight(search, parts.highlighted, parts.snippets)
    return search.extra(explain=True) if parts.explain else search


def _body(search: Search, query: dsl.Query, **options: Any) -> Body:
    """Return the body of a cached search with the query. `to_dict` adds both without the copy that `query` makes."""
    body: Body = search.to_dict(query=query, **options)
    return body


def _compiled(target: Target, request: SearchRequest) -> dsl.Query:
    return compile_query(request.query, range_codes=target.definition.range_codes)


def _among(target: Target, request: SearchRequest, ids: list[DocumentId]) -> dsl.Query:
    """Return the query that matches these hits of the request, with their scores."""
    return dsl.Bool(must=[_compiled(target, request)], filter=[dsl.Ids(values=ids)])


def _again(target: Target, request: SearchRequest) -> Search:
    """Return a search for more about hits that were found, in the view in which they were."""
    search = Search().source(False)
    return search if request.view is None else search.extra(pit=pit_of_view(request.view, target.physical))


def _with_own_highlights(search: Search, request: SearchRequest) -> Search:
    """Return the search with highlights by a query made for them, if this query needs one."""
    if not request.snippets or not needs_own_query(request.query):
        return search
    return highlight_own_query(search, request.query, highlighted_fields(request.query), request.snippets)


def _parts(request: SearchRequest) -> _Parts:
    source = ("payload",) * request.payload + ("text",) * request.text
    highlighted = highlighted_fields(request.query) if request.snippets else ()
    explain = request.explain and request.size <= EXPLAINED_HITS
    return _Parts(source, highlighted, request.snippets, explain)


def _facets(request: SearchRequest) -> _Facets:
    return _Facets(request.facets, request.facet_values)


def _order(request: SearchRequest) -> tuple[str, ...]:
    """Return the fields to sort by; none for the order by score."""
    return (*map(_sort_key, request.sort), "id") if request.sort or request.by_id else ()


def _sort_key(key: SortKey) -> str:
    """Return the sort key. Missing values come last in both directions by default."""
    return f"-{sort_field(key.field)}" if key.descending else sort_field(key.field)
