"""From the query tree to OpenSearch's query language; pure, so that it is tested by what `to_dict()` gives."""

from typing import Any, Final, assert_never

from elasticsearch_dsl import query as dsl

from indexer.engines.conditions import any_value_terms, within_bounds
from indexer.query.ast import (
    AnyValue,
    Combined,
    Everything,
    Exists,
    Fuzzy,
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
_BM25_FACTOR: Final = 2.2
"""Lucene leaves out the factor k1 + 1 that BM25 has, and constant scores would outweigh it here."""
_FUZZY_SCORE: Final = 0.1
_ALL_EXPANSIONS: Final = "constant_score"
"""The one rewrite without a limit on how many words a prefix or a fuzzy word stands for."""
_GATHERED_EXPANSIONS: Final = "constant_score_boolean"
"""Looks the words up once for all segments, where the other one makes a fuzzy word's automata anew in each of them.

With more words than a query may have clauses the cluster refuses it whole: see `with_all_expansions`.
"""


def compile_query(query: Query) -> dsl.Query:  # noqa: C901, PLR0911, PLR0912 -- one case for each node
    """Return the query that matches and scores as the tree says."""
    match query:
        case Everything():
            return dsl.MatchAll()
        case Nothing():
            return dsl.MatchNone()
        case Word(token):
            return dsl.Match(TEXT, {"query": token, "boost": _BM25_FACTOR})
        case Phrase(tokens, score):
            return _phrase(tokens) if score is None else _constant(_phrase(tokens), score)
        case Prefix(token):
            return _constant(dsl.Prefix(EXACT, {"value": token, "rewrite": _ALL_EXPANSIONS}), 1)
        case Fuzzy(token, edits):
            return _constant(_fuzzy(token, edits), _FUZZY_SCORE)
        case AnyValue():
            return dsl.Terms(TERMS, list(any_value_terms(query)))
        case Within():
            return _range(query)
        case Exists(field):
            return dsl.Terms(KEYS, list(key_terms(field)))
        case StartsWith(field, text):
            return dsl.Prefix(TERMS, {"value": prefix_term(field, text), "rewrite": _ALL_EXPANSIONS})
        case Identified(ids):
            return dsl.Ids(values=list(ids))
        case Combined():
            return _combined(query)
        case _:
            assert_never(query)


def excluding(query: dsl.Query, ids: tuple[str, ...]) -> dsl.Query:
    """Return the query without these documents."""
    return dsl.Bool(must=[query], must_not=[dsl.Ids(values=list(ids))]) if ids else query


def with_all_expansions(compiled: Any) -> Any:
    """Return the same, whatever the number of words that its fuzzy words stand for; slower."""
    match compiled:
        case {"rewrite": str(rewrite)} if rewrite == _GATHERED_EXPANSIONS:
            return {**compiled, "rewrite": _ALL_EXPANSIONS}
        case dict():
            return {name: with_all_expansions(part) for name, part in compiled.items()}
        case list():
            return [with_all_expansions(part) for part in compiled]
        case _:
            return compiled


def _phrase(tokens: tuple[str, ...]) -> dsl.Query:
    scored = {"query": " ".join(tokens), "boost": _BM25_FACTOR}
    return dsl.MatchPhrase(EXACT, scored) if tokens[1:] else dsl.Match(EXACT, scored)


def _combined(query: Combined) -> dsl.Query:
    must = [compile_query(part) for part in query.must]
    any_of = [compile_query(part) for part in query.any_of]
    ranking = [compile_query(part) for part in query.ranking]
    where = [compile_query(part) for part in query.where]
    must_not = [compile_query(part) for part in query.must_not]
    clauses: dict[str, Any] = {}
    if any_of and not ranking:
        clauses = {"should": any_of, "minimum_should_match": 1}
    elif ranking:
        must += [dsl.Bool(should=any_of, minimum_should_match=1)] if any_of else []
        clauses = {"should": ranking, "minimum_should_match": 0}
    if not must and not any_of:
        # A bool of nothing but `should` asks for one of them, whatever the minimum says.
        (where if ranking else must).append(dsl.MatchAll())
    for name, parts in (("must", must), ("filter", where), ("must_not", must_not)):
        if parts:
            clauses[name] = parts
    return dsl.Bool(**clauses)


def _constant(query: dsl.Query, score: float) -> dsl.Query:
    return dsl.ConstantScore(filter=query, boost=score)


def _fuzzy(token: str, edits: int) -> dsl.Query:
    options = {"value": token, "fuzziness": edits, "prefix_length": 0, "transpositions": True}
    return dsl.Fuzzy(EXACT, {**options, "rewrite": _GATHERED_EXPANSIONS})


def _range(node: Within) -> dsl.Query:
    lower, upper, include_lower, include_upper = within_bounds(node)
    return dsl.Range(TERMS, {"gte" if include_lower else "gt": lower, "lte" if include_upper else "lt": upper})
