"""From the query tree to tantivy's queries."""

from collections.abc import Sequence
from typing import Final, assert_never

from tantivy import Occur
from tantivy import Query as Compiled

from indexer.engines.conditions import any_value_terms, within_bounds
from indexer.engines.tantivy.documents import encoded
from indexer.engines.tantivy.schema import EXACT, ID, KEYS, TERMS, TEXT, Dialect
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

_FUZZY_SCORE: Final = 0.1


def compile_query(query: Query, dialect: Dialect) -> Compiled:  # noqa: C901, PLR0911, PLR0912 -- one case for each node
    """Return the query that matches and scores as the tree says."""
    match query:
        case Everything():
            return _everything(1.0)
        case Nothing():
            return Compiled.empty_query()
        case Word(token):
            stem = dialect.stem(token)
            return Compiled.empty_query() if stem is None else Compiled.term_query(dialect.schema, TEXT, stem)
        case Phrase(tokens, score):
            phrase = _phrase(tokens, dialect)
            return phrase if score is None else Compiled.const_score_query(phrase, score)
        case Prefix(token):
            return _prefix(dialect, EXACT, token)
        case Fuzzy(token, edits):
            fuzzy = Compiled.fuzzy_term_query(dialect.schema, EXACT, token, edits, transposition_cost_one=True)
            return Compiled.const_score_query(fuzzy, _FUZZY_SCORE)
        case AnyValue():
            return any_term(dialect, TERMS, any_value_terms(query))
        case Within():
            lower, upper, include_lower, include_upper = within_bounds(query)
            return term_range(dialect, TERMS, lower, upper, include_lower=include_lower, include_upper=include_upper)
        case Exists(field):
            return any_term(dialect, KEYS, key_terms(field))
        case StartsWith(field, text):
            return _prefix(dialect, TERMS, prefix_term(field, text))
        case Identified(ids):
            return any_term(dialect, ID, [encoded(identity) for identity in ids])
        case Combined():
            return _combined(query, dialect)
        case _:
            assert_never(query)


def narrowed(query: Compiled, *conditions: Compiled) -> Compiled:
    """Return the query where these hold too, without a change of scores."""
    return Compiled.boolean_query([(Occur.Must, query), *((Occur.Must, _unscored(part)) for part in conditions)])


def excluding(query: Compiled, ids: Sequence[str], dialect: Dialect) -> Compiled:
    """Return the query without these documents."""
    if not ids:
        return query
    excluded = any_term(dialect, ID, [encoded(identity) for identity in ids])
    return Compiled.boolean_query([(Occur.Must, query), (Occur.MustNot, excluded)])


def any_term(dialect: Dialect, field: str, terms: Sequence[str]) -> Compiled:
    """Return the query for documents that have one of these terms in an exact field, with the score 1."""
    return Compiled.const_score_query(Compiled.term_set_query(dialect.schema, field, list(terms)), 1.0)


def term_range(
    dialect: Dialect, field: str, lower: str, upper: str, *, include_lower: bool, include_upper: bool
) -> Compiled:
    """Return the query for a range of an exact field's terms; `*` is an open end.

    tantivy has ranges of text only in its query language, which cannot quote bounds: terms must be of letters, digits,
    `%`, `-`, `.`, `_`, `~` and the separator, as those of metadata and those in hex are.
    """
    opening, closing = "[" if include_lower else "{", "]" if include_upper else "}"
    return dialect.index.parse_query(f"{field}:{opening}{lower} TO {upper}{closing}")


def _phrase(tokens: tuple[str, ...], dialect: Dialect) -> Compiled:
    if len(tokens) == 1:
        return Compiled.term_query(dialect.schema, EXACT, tokens[0])
    return Compiled.phrase_query(dialect.schema, EXACT, list(tokens))


def _combined(query: Combined, dialect: Dialect) -> Compiled:
    must = [compile_query(part, dialect) for part in query.must]
    any_of = [(Occur.Should, compile_query(part, dialect)) for part in query.any_of]
    ranking = [(Occur.Should, compile_query(part, dialect)) for part in query.ranking]
    if any_of and not (must or ranking or query.where or query.must_not):
        return Compiled.boolean_query(any_of)
    if any_of:
        must.append(Compiled.boolean_query(any_of))
    if not must:
        must.append(_everything(0.0 if ranking else 1.0))
    where = [_unscored(compile_query(part, dialect)) for part in query.where]
    must_not = [compile_query(part, dialect) for part in query.must_not]
    return Compiled.boolean_query(
        [
            *((Occur.Must, part) for part in (*must, *where)),
            *ranking,
            *((Occur.MustNot, part) for part in must_not),
        ]
    )


def _everything(score: float) -> Compiled:
    """Return the query for all documents; as a constant, since tantivy leaves a plain one out beside other clauses."""
    return Compiled.const_score_query(Compiled.all_query(), score)


def _unscored(query: Compiled) -> Compiled:
    return Compiled.const_score_query(query, 0.0)


def _prefix(dialect: Dialect, field: str, start: str) -> Compiled:
    """Return a prefix query: the automaton of no edits has no limit on length or matches, unlike regular ones."""
    automaton = Compiled.fuzzy_term_query(dialect.schema, field, start, distance=0, prefix=True)
    return Compiled.const_score_query(automaton, 1.0)
