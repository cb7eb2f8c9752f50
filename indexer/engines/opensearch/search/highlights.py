"""Highlighting: first by `fvh`, which reads term vectors; then by the slower `unified`, for hits without highlights."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from elasticsearch_dsl import Search
from elasticsearch_dsl import query as dsl

from indexer.engines.opensearch.search.compile import EXACT, TEXT, compile_query
from indexer.query.ast import Combined, Corrected, Phrase, Prefix, Query, Word
from indexer.text.marks import join_marks

_FRAGMENT_SIZE: Final = 200
_CORRECTED_WEIGHT: Final = 0.01
"""How much a corrected word counts beside an exact match, so that fragments with exact matches come first."""


def highlighted_fields(query: Query) -> tuple[str, ...]:
    """Return the fields in which the query has words to highlight.

    Each of the two fields costs a quarter of the search time, so only the fields that the query uses are read.
    """
    node_types = {type(node) for node in _highlighted_nodes(query)}
    fields = [TEXT] if node_types & {Word, Corrected} else []
    if node_types - {Word, Corrected}:
        fields.append(EXACT)
    return tuple(fields)


def highlight(search: Search, fields: tuple[str, ...], snippets: int, **options: Any) -> Search:
    """Return the search with highlights of the words in these fields."""
    if fields != (TEXT,):
        options["matched_fields"] = list(fields)
    return _with_options(search, "fvh", snippets).highlight(TEXT, **options)


def highlight_exact_first(search: Search, query: Query, fields: tuple[str, ...], snippets: int) -> Search:
    """Return the search with highlights of a query with corrections, the best of its exact matches first."""
    nodes = [
        dsl.Bool(should=[compile_query(node)], boost=_CORRECTED_WEIGHT)
        if isinstance(node, Corrected)
        else compile_query(node)
        for node in _highlighted_nodes(query)
    ]
    return highlight(search, fields, snippets, highlight_query=dsl.Bool(should=nodes).to_dict())


def highlight_expansions(search: Search, query: Query, snippets: int) -> Search | None:
    """Return the search with highlights of prefixes, of which `fvh` sees only the first 1,024 terms.

    None if the query has no prefix.
    """
    nodes = [compile_query(node) for node in _highlighted_nodes(query) if isinstance(node, Prefix)]
    if not nodes:
        return None
    highlight_query = dsl.Bool(should=nodes).to_dict()
    return _with_options(search, "unified", snippets).highlight(EXACT, highlight_query=highlight_query)


def highlights_of(item: Mapping[str, Any]) -> tuple[str, ...]:
    """Return a hit's fragments. Slashes are unescaped, because only OpenSearch escapes them."""
    fragments = next(iter(item.get("highlight", {}).values()), ())
    return tuple(join_marks(fragment.replace("&#x2F;", "/")) for fragment in fragments)


def _with_options(search: Search, highlighter: str, snippets: int) -> Search:
    return search.highlight_options(
        type=highlighter,
        number_of_fragments=snippets,
        encoder="html",
        pre_tags=["<mark>"],
        post_tags=["</mark>"],
        order="score",
        fragment_size=_FRAGMENT_SIZE,
    )


def _highlighted_nodes(query: Query) -> Iterator[Query]:
    """Yield the nodes that match text, except those in filters and exclusions."""
    if isinstance(query, Combined):
        for part in (*query.must, *query.any_of, *query.ranking):
            yield from _highlighted_nodes(part)
    elif isinstance(query, Word | Phrase | Prefix | Corrected):
        yield query
