"""Highlighting: first by `fvh`, which reads term vectors; then by the slower `unified`, for hits without highlights."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from elasticsearch_dsl import query as dsl

from indexer.engines.opensearch.search.compile import EXACT, TEXT, compile_query
from indexer.query.ast import Combined, Fuzzy, Phrase, Prefix, Query, Word

Body = dict[str, Any]

_FRAGMENT_SIZE: Final = 200
_OPTIONS: Final = {
    "encoder": "html",
    "pre_tags": ["<mark>"],
    "post_tags": ["</mark>"],
    "order": "score",
    "fragment_size": _FRAGMENT_SIZE,
}


def highlight_clause(query: Query, snippets: int) -> Body | None:
    """Return the `highlight` clause of a search; None if the query has no words to highlight.

    Each of the two fields costs a quarter of the search time, so only the fields that the query uses are read.
    """
    nodes = list(_highlighted_nodes(query))
    fields = [TEXT] if any(isinstance(node, Word) for node in nodes) else []
    fields += [EXACT] if any(not isinstance(node, Word) for node in nodes) else []
    if not snippets or not fields:
        return None
    options = {} if fields == [TEXT] else {"matched_fields": fields}
    return {**_OPTIONS, "type": "fvh", "number_of_fragments": snippets, "fields": {TEXT: options}}


def fallback_highlight_clause(query: Query, snippets: int) -> Body | None:
    """Return the clause that highlights prefixes and fuzzy words, of which `fvh` sees only the first 1,024 terms."""
    nodes = [compile_query(node) for node in _highlighted_nodes(query) if isinstance(node, Prefix | Fuzzy)]
    if not nodes:
        return None
    highlight_query = dsl.Bool(should=nodes).to_dict()
    fields = {EXACT: {"highlight_query": highlight_query}}
    return {**_OPTIONS, "type": "unified", "number_of_fragments": snippets, "fields": fields}


def highlights_of(item: Mapping[str, Any]) -> tuple[str, ...]:
    """Return a hit's fragments. Slashes are unescaped, because only OpenSearch escapes them."""
    fragments = next(iter(item.get("highlight", {}).values()), ())
    return tuple(fragment.replace("&#x2F;", "/") for fragment in fragments)


def _highlighted_nodes(query: Query) -> Iterator[Query]:
    """Yield the nodes that match text, except those in filters and exclusions."""
    if isinstance(query, Combined):
        for part in (*query.must, *query.any_of, *query.ranking):
            yield from _highlighted_nodes(part)
    elif isinstance(query, Word | Phrase | Prefix | Fuzzy):
        yield query
