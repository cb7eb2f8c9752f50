"""What is sent for one search; pure."""

from typing import Any, Final

from indexer.engines.opensearch.mappings import sort_field
from indexer.engines.opensearch.search.compile import TERMS, compile_query, excluding
from indexer.engines.opensearch.search.facets import facet_aggregations
from indexer.engines.opensearch.search.highlights import highlight, second_highlight
from indexer.engines.opensearch.search.views import pit
from indexer.engines.port import SearchRequest, Target
from indexer.engines.sorting import GATHERED
from indexer.query.ast import SortKey
from indexer.schema.definition import IndexDefinition
from indexer.tenancy import DocumentId

Body = dict[str, Any]

_BY_SCORE: Final = [{"_score": "desc"}, {"_shard_doc": "asc"}]


def search_body(target: Target, wanted: SearchRequest) -> Body:
    """Return the request for a page by score or by declared fields."""
    body = {**_matching(wanted), **_shown(wanted), "size": wanted.size}
    if wanted.sort:
        body["sort"] = [_sort(key) for key in wanted.sort] + [{"id": "asc"}]
        body["track_scores"] = True
    elif wanted.view is not None:
        body["sort"] = _BY_SCORE
    if wanted.view is not None:
        body["pit"] = pit(wanted.view, target.physical)
    if wanted.after is not None:
        body["search_after"] = wanted.after
    return body


def gathering_body(wanted: SearchRequest) -> Body:
    """Return the request for the ids and terms of all matches, to be sorted here."""
    return {**_matching(wanted), "size": GATHERED, "docvalue_fields": ["id", TERMS], "stored_fields": "_none_"}


def page_body(wanted: SearchRequest, ids: list[DocumentId]) -> Body:
    """Return the request for these of the matches, scored and marked by the query."""
    query = {"bool": {"must": [_query(wanted)], "filter": [{"ids": {"values": ids}}]}}
    return {**_shown(wanted), "query": query, "size": len(ids)}


def marking_body(target: Target, wanted: SearchRequest, ids: list[DocumentId]) -> Body | None:
    """Return the request that looks a second time for something to mark in these hits, if there can be anything."""
    marking = second_highlight(wanted.query, wanted.snippets) if wanted.snippets and ids else None
    if marking is None:
        return None
    body = {"query": {"ids": {"values": ids}}, "size": len(ids), "_source": False, "highlight": marking}
    if wanted.view is not None:
        body["pit"] = pit(wanted.view, target.physical)
    return body


def undeclared(sort: tuple[SortKey, ...], definition: IndexDefinition) -> str | None:
    """Return the first field of the sort that has no values to sort by on the cluster."""
    return next((key.field for key in sort if key.field not in definition.sortable), None)


def _matching(wanted: SearchRequest) -> Body:
    body: Body = {"query": _query(wanted), "track_total_hits": True}
    if wanted.facets:
        body["aggs"] = facet_aggregations(wanted.facets)
    return body


def _query(wanted: SearchRequest) -> Body:
    query: Body = excluding(compile_query(wanted.query), wanted.without).to_dict()
    return query


def _shown(wanted: SearchRequest) -> Body:
    fields = [name for name, asked in (("payload", wanted.payload), ("text", wanted.text)) if asked]
    body: Body = {"version": True, "_source": fields or False}
    if (marking := highlight(wanted.query, wanted.snippets)) is not None:
        body["highlight"] = marking
    if wanted.explain:
        body["explain"] = True
    return body


def _sort(key: SortKey) -> Body:
    return {sort_field(key.field): {"order": "desc" if key.descending else "asc", "missing": "_last"}}
