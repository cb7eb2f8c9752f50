"""Compiles the query AST to OpenSearch's query DSL. Pure, so tests compare the result of `to_dict()`."""

from collections.abc import Callable
from functools import partial
from typing import Any, Final, assert_never

from elasticsearch_dsl import query as dsl

from indexer.engines.conditions import any_value_terms, within_bounds, within_terms
from indexer.query.ast import (
    AnyValue,
    Combined,
    Corrected,
    Everything,
    Exists,
    Identified,
    Nothing,
    Phrase,
    Prefix,
    Query,
    StartsWith,
    Within,
    Word,
)
from indexer.schema.metadata_terms import key_terms, prefix_term

TEXT: Final = "text"
EXACT: Final = "text.exact"
TERMS: Final = "kv"
KEYS: Final = "keys"
RANGES: Final = "ranges"
EXACT_MATCH: Final = "exact"
"""The name of the clauses without corrections. Hits that match one of them match the words as typed."""
_BM25_FACTOR: Final = 2.2
"""Lucene's BM25 omits the factor k1 + 1. This boost restores it, so that scores weigh the same as on tantivy."""
_UNLIMITED_REWRITE: Final = "constant_score"
"""The only rewrite without a limit on how many terms a prefix expands to."""


def compile_query(query: Query, *, range_codes: bool = False) -> dsl.Query:  # noqa: C901, PLR0911, PLR0912 -- one case per node
    """Return the query that matches and scores as the AST specifies.

    `range_codes`: whether the index has them. Without, a range is one of terms, which is right on every index and slow.
    """
    match query:
        case Everything():
            return dsl.MatchAll()
        case Nothing():
            return dsl.MatchNone()
        case Word(token):
            return _compile_word(token)
        case Phrase(tokens, score):
            return _compile_phrase(tokens) if score is None else _constant_score(_compile_phrase(tokens), score)
        case Prefix(token):
            return _constant_score(dsl.Prefix(EXACT, {"value": token, "rewrite": _UNLIMITED_REWRITE}), 1)
        case Corrected(_, corrections):
            return dsl.DisMax(queries=[_compile_word(token) for token in corrections])
        case AnyValue():
            return dsl.Terms(TERMS, list(any_value_terms(query)))
        case Within():
            return _compile_within(query, range_codes=range_codes)
        case Exists(field):
            return dsl.Terms(KEYS, list(key_terms(field)))
        case StartsWith(field, text):
            return dsl.Prefix(TERMS, {"value": prefix_term(field, text), "rewrite": _UNLIMITED_REWRITE})
        case Identified(ids):
            return dsl.Ids(values=list(ids))
        case Combined():
            return _compile_combined(query, partial(compile_query, range_codes=range_codes))
        case _:
            assert_never(query)


def _compile_word(token: str) -> dsl.Query:
    return dsl.Match(TEXT, {"query": token, "boost": _BM25_FACTOR})


def _compile_phrase(tokens: tuple[str, ...]) -> dsl.Query:
    options = {"query": " ".join(tokens), "boost": _BM25_FACTOR}
    return dsl.MatchPhrase(EXACT, options) if tokens[1:] else dsl.Match(EXACT, options)


def _compile_combined(query: Combined, compile_part: Callable[[Query], dsl.Query]) -> dsl.Query:
    must = [compile_part(part) for part in query.must]
    any_of = _compile_any_of(query.any_of, compile_part)
    ranking = [compile_part(part) for part in query.ranking]
    where = [compile_part(part) for part in query.where]
    must_not = [compile_part(part) for part in query.must_not]
    clauses: dict[str, Any] = {}
    if any_of and not ranking:
        clauses = {"should": any_of, "minimum_should_match": 1}
    elif ranking:
        must += [dsl.Bool(should=any_of, minimum_should_match=1)] if any_of else []
        clauses = {"should": ranking, "minimum_should_match": 0}
    if not must and not any_of:
        # A bool query with only `should` clauses must match one of them, even if minimum_should_match is 0.
        (where if ranking else must).append(dsl.MatchAll())
    for name, parts in (("must", must), ("filter", where), ("must_not", must_not)):
        if parts:
            clauses[name] = parts
    return dsl.Bool(**clauses)


def _compile_any_of(parts: tuple[Query, ...], compile_part: Callable[[Query], dsl.Query]) -> list[dsl.Query]:
    corrected = [compile_part(part) for part in parts if isinstance(part, Corrected)]
    exact = [compile_part(part) for part in parts if not isinstance(part, Corrected)]
    if not corrected or not exact:
        return corrected + exact
    return [dsl.Bool(should=exact, minimum_should_match=1, _name=EXACT_MATCH), *corrected]


def _constant_score(query: dsl.Query, score: float) -> dsl.Query:
    return dsl.ConstantScore(filter=query, boost=score)


def _compile_within(node: Within, *, range_codes: bool) -> dsl.Query:
    terms = within_terms(node) if range_codes else None
    if terms is not None:
        return dsl.Terms(RANGES, terms)
    lower, upper, include_lower, include_upper = within_bounds(node)
    return dsl.Range(TERMS, {"gte" if include_lower else "gt": lower, "lte" if include_upper else "lt": upper})
