"""Highlighting: first by `fvh`, which reads term vectors; then by the slower `unified`, for hits without highlights."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from elasticsearch_dsl import Search
from elasticsearch_dsl import query as dsl

from indexer.engines.opensearch.search.compile import EXACT, TEXT, compile_query
from indexer.query.ast import Combined, Corrected, Everything, Nothing, Phrase, Prefix, Query, Word
from indexer.query.exactness import exact_condition
from indexer.text.marks import join_marks

_FRAGMENT_SIZE: Final = 200
_CORRECTED_WEIGHT: Final = 0.01
"""How much a corrected word counts beside an exact match, so that fragments with exact matches come first."""

_MAX_PHRASE_WORDS: Final = 16
"""`fvh` compares a phrase anew from each place where it begins; one of 655 words took minutes."""


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


def needs_own_query(query: Query) -> bool:
    """Return whether `highlight_own_query` orders fragments better than the query itself, or marks in less time."""
    is_mixed = not isinstance(exact_condition(query), Everything | Nothing)
    return is_mixed or any(_is_long(node) for node in _highlighted_nodes(query))


def highlight_own_query(search: Search, query: Query, fields: tuple[str, ...], snippets: int) -> Search:
    """Return the search with highlights by a query made for them.

    Of a query with corrections, the best fragments of exact matches come first. Long phrases are marked in pieces.
    """
    nodes = [compiled for node in _highlighted_nodes(query) for compiled in _compile_to_highlight(node)]
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


def _compile_to_highlight(node: Query) -> list[dsl.Query]:
    if isinstance(node, Corrected):
        return [dsl.Bool(should=[compile_query(node)], boost=_CORRECTED_WEIGHT)]
    if isinstance(node, Phrase) and _is_long(node):
        last = len(node.tokens) - _MAX_PHRASE_WORDS
        starts = [*range(0, last, _MAX_PHRASE_WORDS), last]
        return [compile_query(Phrase(node.tokens[start : start + _MAX_PHRASE_WORDS])) for start in starts]
    return [compile_query(node)]


def _is_long(node: Query) -> bool:
    return isinstance(node, Phrase) and len(node.tokens) > _MAX_PHRASE_WORDS


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
