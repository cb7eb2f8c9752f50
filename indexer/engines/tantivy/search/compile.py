"""Compiles the query AST to tantivy's queries."""

from collections.abc import Sequence
from typing import assert_never

from tantivy import Occur
from tantivy import Query as Compiled

from indexer.engines.conditions import any_value_terms, within_bounds, within_terms
from indexer.engines.tantivy.documents import encode_term
from indexer.engines.tantivy.schema import EXACT, ID, KEYS, RANGES, TERMS, TEXT, IndexHandle
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


def compile_query(query: Query, handle: IndexHandle) -> Compiled:  # noqa: C901, PLR0911, PLR0912 -- one case per node
    """Return the query that matches and scores as the AST specifies."""
    match query:
        case Everything():
            return _match_all(1.0)
        case Nothing():
            return Compiled.empty_query()
        case Word(token):
            return compile_word(token, handle)
        case Phrase(tokens, score):
            phrase = _compile_phrase(tokens, handle)
            return phrase if score is None else Compiled.const_score_query(phrase, score)
        case Prefix(token):
            return _compile_prefix(handle, EXACT, token)
        case Corrected(_, corrections):
            return Compiled.disjunction_max_query([compile_word(token, handle) for token in corrections])
        case AnyValue():
            return any_term(handle, TERMS, any_value_terms(query))
        case Within():
            return _compile_within(query, handle)
        case Exists(field):
            return any_term(handle, KEYS, key_terms(field))
        case StartsWith(field, text):
            return _compile_prefix(handle, TERMS, prefix_term(field, text))
        case Identified(ids):
            return any_term(handle, ID, [encode_term(identity) for identity in ids])
        case Combined():
            return _compile_combined(query, handle)
        case _:
            assert_never(query)


def compile_word(token: str, handle: IndexHandle) -> Compiled:
    """Return the query for documents with this token's stem."""
    stem = handle.stem(token)
    return Compiled.empty_query() if stem is None else Compiled.term_query(handle.schema, TEXT, stem)


def narrow(query: Compiled, *conditions: Compiled) -> Compiled:
    """Return the query restricted by these conditions, with unchanged scores."""
    return Compiled.boolean_query([(Occur.Must, query), *((Occur.Must, _without_score(part)) for part in conditions)])


def any_term(handle: IndexHandle, field: str, terms: Sequence[str]) -> Compiled:
    """Return the query for documents with one of these terms in an exact field, with the constant score 1."""
    return Compiled.const_score_query(Compiled.term_set_query(handle.schema, field, list(terms)), 1.0)


def term_range(
    handle: IndexHandle, field: str, lower: str, upper: str, *, include_lower: bool, include_upper: bool
) -> Compiled:
    """Return the query for a range of an exact field's terms; `*` is an open end.

    tantivy supports ranges of text only in its query language, which cannot quote bounds. So bounds may contain only
    letters, digits, `%`, `-`, `.`, `_`, `~` and the separator, which holds for metadata terms and for encoded terms.
    """
    left, right = "[" if include_lower else "{", "]" if include_upper else "}"
    return handle.index.parse_query(f"{field}:{left}{lower} TO {upper}{right}")


def _compile_phrase(tokens: tuple[str, ...], handle: IndexHandle) -> Compiled:
    if len(tokens) == 1:
        return Compiled.term_query(handle.schema, EXACT, tokens[0])
    return Compiled.phrase_query(handle.schema, EXACT, list(tokens))


def _compile_combined(query: Combined, handle: IndexHandle) -> Compiled:
    must = [compile_query(part, handle) for part in query.must]
    any_of = [(Occur.Should, compile_query(part, handle)) for part in query.any_of]
    ranking = [(Occur.Should, compile_query(part, handle)) for part in query.ranking]
    if any_of and not (must or ranking or query.where or query.must_not):
        return Compiled.boolean_query(any_of)
    if any_of:
        must.append(Compiled.boolean_query(any_of))
    if not must:
        must.append(_match_all(0.0 if ranking else 1.0))
    where = [_without_score(compile_query(part, handle)) for part in query.where]
    must_not = [compile_query(part, handle) for part in query.must_not]
    return Compiled.boolean_query(
        [
            *((Occur.Must, part) for part in (*must, *where)),
            *ranking,
            *((Occur.MustNot, part) for part in must_not),
        ]
    )


def _compile_within(node: Within, handle: IndexHandle) -> Compiled:
    terms = within_terms(node) if handle.definition.range_codes else None
    if terms is not None:
        return any_term(handle, RANGES, terms)
    lower, upper, include_lower, include_upper = within_bounds(node)
    return term_range(handle, TERMS, lower, upper, include_lower=include_lower, include_upper=include_upper)


def _match_all(score: float) -> Compiled:
    """Match all documents. A constant score, because tantivy drops a plain all-query beside other clauses."""
    return Compiled.const_score_query(Compiled.all_query(), score)


def _without_score(query: Compiled) -> Compiled:
    return Compiled.const_score_query(query, 0.0)


def _compile_prefix(handle: IndexHandle, field: str, start: str) -> Compiled:
    """Match a prefix, by a fuzzy query without edits: a regex query has limits on length and matches."""
    automaton = Compiled.fuzzy_term_query(handle.schema, field, start, distance=0, prefix=True)
    return Compiled.const_score_query(automaton, 1.0)
