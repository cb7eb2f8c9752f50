"""Marking what matched: `fvh`, which reads term vectors, and where it finds nothing the slower `unified`."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from elasticsearch_dsl import query as dsl

from indexer.engines.opensearch.search.compile import EXACT, TEXT, compile_query
from indexer.query.ast import Combined, Fuzzy, Phrase, Prefix, Query, Word

Body = dict[str, Any]

_SNIPPET: Final = 200
_COMMON: Final = {
    "encoder": "html",
    "pre_tags": ["<mark>"],
    "post_tags": ["</mark>"],
    "order": "score",
    "fragment_size": _SNIPPET,
}


def highlight(query: Query, snippets: int) -> Body | None:
    """Return the request that marks the words that the query looks for, if there are any.

    Each field of the two costs a quarter of the time, so only those that the query names are read.
    """
    nodes = list(_marked(query))
    fields = [TEXT] if any(isinstance(node, Word) for node in nodes) else []
    fields += [EXACT] if any(not isinstance(node, Word) for node in nodes) else []
    if not snippets or not fields:
        return None
    options = {} if fields == [TEXT] else {"matched_fields": fields}
    return {**_COMMON, "type": "fvh", "number_of_fragments": snippets, "fields": {TEXT: options}}


def second_highlight(query: Query, snippets: int) -> Body | None:
    """Return the request that marks prefixes and fuzzy words, of which `fvh` sees the first 1,024 words only."""
    nodes = [compile_query(node) for node in _marked(query) if isinstance(node, Prefix | Fuzzy)]
    if not nodes:
        return None
    marking = dsl.Bool(should=nodes).to_dict()
    fields = {EXACT: {"highlight_query": marking}}
    return {**_COMMON, "type": "unified", "number_of_fragments": snippets, "fields": fields}


def highlights_of(item: Mapping[str, Any]) -> tuple[str, ...]:
    """Return a hit's fragments; the cluster escapes a slash too, which no other part of the platform does."""
    fragments = next(iter(item.get("highlight", {}).values()), ())
    return tuple(fragment.replace("&#x2F;", "/") for fragment in fragments)


def _marked(query: Query) -> Iterator[Query]:
    """Yield the nodes that stand for words, but for those in filters and exclusions."""
    if isinstance(query, Combined):
        for part in (*query.must, *query.any_of, *query.ranking):
            yield from _marked(part)
    elif isinstance(query, Word | Phrase | Prefix | Fuzzy):
        yield query
