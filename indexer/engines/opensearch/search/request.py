"""Builds the bodies of search requests; pure."""

from typing import Any, Final

from indexer.engines.opensearch.mappings import sort_field
from indexer.engines.opensearch.search.compile import TERMS, compile_query, exclude_ids
from indexer.engines.opensearch.search.facets import facet_aggregations
from indexer.engines.opensearch.search.highlights import fallback_highlight_clause, highlight_clause
from indexer.engines.opensearch.search.views import pit_clause
from indexer.engines.port import SearchRequest, Target
from indexer.engines.sorting import MAX_SORTED_MATCHES
from indexer.query.ast import SortKey
from indexer.schema.definition import IndexDefinition
from indexer.tenancy import DocumentId

Body = dict[str, Any]

_SORT_BY_SCORE: Final = [{"_score": "desc"}, {"_shard_doc": "asc"}]


def search_body(target: Target, request: SearchRequest) -> Body:
    """Return the body for a page by score or by declared fields."""
    body = {**_match_options(request), **_fetch_options(request), "size": request.size}
    if request.sort:
        body["sort"] = [_sort_clause(key) for key in request.sort] + [{"id": "asc"}]
        body["track_scores"] = True
    elif request.view is not None:
        body["sort"] = _SORT_BY_SCORE
    if request.view is not None:
        body["pit"] = pit_clause(request.view, target.physical)
    if request.after is not None:
        body["search_after"] = request.after
    return body


def all_matches_body(request: SearchRequest) -> Body:
    """Return the body that fetches the ids and terms of all matches, to sort them in memory."""
    return {
        **_match_options(request),
        "size": MAX_SORTED_MATCHES,
        "docvalue_fields": ["id", TERMS],
        "stored_fields": "_none_",
    }


def page_body(request: SearchRequest, ids: list[DocumentId]) -> Body:
    """Return the body that fetches these matches, scored and highlighted by the query."""
    query = {"bool": {"must": [_query_clause(request)], "filter": [{"ids": {"values": ids}}]}}
    return {**_fetch_options(request), "query": query, "size": len(ids)}


def fallback_highlights_body(target: Target, request: SearchRequest, ids: list[DocumentId]) -> Body | None:
    """Return the body that highlights these hits again; None if the query has nothing more to highlight."""
    highlight = fallback_highlight_clause(request.query, request.snippets) if request.snippets and ids else None
    if highlight is None:
        return None
    body = {"query": {"ids": {"values": ids}}, "size": len(ids), "_source": False, "highlight": highlight}
    if request.view is not None:
        body["pit"] = pit_clause(request.view, target.physical)
    return body


def first_undeclared_field(sort: tuple[SortKey, ...], definition: IndexDefinition) -> str | None:
    """Return the first sort field that is not declared, and so has no sort values on the cluster."""
    return next((key.field for key in sort if key.field not in definition.sortable), None)


def _match_options(request: SearchRequest) -> Body:
    body: Body = {"query": _query_clause(request), "track_total_hits": True}
    if request.facets:
        body["aggs"] = facet_aggregations(request.facets)
    return body


def _query_clause(request: SearchRequest) -> Body:
    query: Body = exclude_ids(compile_query(request.query), request.without).to_dict()
    return query


def _fetch_options(request: SearchRequest) -> Body:
    fields = [name for name, is_requested in (("payload", request.payload), ("text", request.text)) if is_requested]
    body: Body = {"version": True, "_source": fields or False}
    if (highlight := highlight_clause(request.query, request.snippets)) is not None:
        body["highlight"] = highlight
    if request.explain:
        body["explain"] = True
    return body


def _sort_clause(key: SortKey) -> Body:
    return {sort_field(key.field): {"order": "desc" if key.descending else "asc", "missing": "_last"}}
