"""From clauses to the part of the tree that searches text, and to what callers are told about it."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final
from unicodedata import normalize

from indexer.query.ast import Combined, Fuzzy, Phrase, Prefix, Query, Word
from indexer.query.parse_text import Clause
from indexer.schema.analysis import most_edits, tokens
from indexer.schema.definition import Analysis

MOST_PARTS: Final = 256
"""How many parts of long words add to scores: scripts without spaces make a sentence one word."""
_SHORTEST_PREFIX: Final = 2
_WHOLE_WORD: Final = 3.0


@dataclass(frozen=True, slots=True)
class Words:
    """Clauses by what they do, and the same as callers are told."""

    must: list[Query] = field(default_factory=list)
    any_of: list[Query] = field(default_factory=list)
    ranking: list[Query] = field(default_factory=list)
    must_not: list[Query] = field(default_factory=list)
    shown: dict[str, list[str]] = field(
        default_factory=lambda: {"terms": [], "must": [], "must_not": [], "phrases": []}
    )


def words(clauses: Sequence[Clause], analysis: Analysis, *, fuzzy: bool) -> Words:
    """Sort the clauses by role; those without a token are left out."""
    found = Words()
    for clause in clauses:
        match clause.kind:
            case "phrase":
                _phrase(found, clause, _tokens(clause.text, analysis))
            case "word":
                _word(found, clause, _tokens(clause.text, analysis), fuzzy=fuzzy)
            case "prefix":
                _prefix(found, clause, analysis, fuzzy=fuzzy)
            case "all":
                pass
    found.ranking[MOST_PARTS:] = []
    return found


def _tokens(text: str, analysis: Analysis) -> tuple[str, ...]:
    return tuple(tokens(normalize("NFC", text), analysis))


def _phrase(found: Words, clause: Clause, parts: tuple[str, ...]) -> None:
    if not parts:
        return
    if clause.sign == "-":
        found.must_not.append(Phrase(parts))
        found.shown["must_not"].append(" ".join(parts))
    else:
        found.must.append(Phrase(parts))
        found.shown["phrases"].append(" ".join(parts))


def _word(found: Words, clause: Clause, parts: tuple[str, ...], *, fuzzy: bool) -> None:
    if len(parts) > 1:
        _long_word(found, clause, parts)
    elif parts:
        exact = Word(parts[0])
        edits = most_edits(len(parts[0])) if fuzzy and clause.sign != "-" else 0
        query = Combined(any_of=(exact, Fuzzy(parts[0], edits))) if edits else exact
        _place(found, clause, query, parts[0])


def _long_word(found: Words, clause: Clause, parts: tuple[str, ...]) -> None:
    """Match only as a phrase, and let the parts add to the score of whatever matches.

    The phrase itself adds a constant: with its own BM25, which counts the parts twice, relevance was worse on two
    collections; of the constants from 0 to 8, those from 2 to 4 were best on both.
    """
    if clause.sign == "-":
        _place(found, clause, Phrase(parts), " ".join(parts))
        return
    found.ranking.extend(Word(part) for part in dict.fromkeys(parts))
    _place(found, clause, Phrase(parts, _WHOLE_WORD), " ".join(parts), among="phrases")


def _prefix(found: Words, clause: Clause, analysis: Analysis, *, fuzzy: bool) -> None:
    """Match the last token as a prefix, whatever the shortest word of the index, after the ones before it."""
    parts = _tokens(clause.text, replace(analysis, min_length=1))
    if not parts or len(parts[-1]) < _SHORTEST_PREFIX:
        _word(found, clause, _tokens(clause.text, analysis), fuzzy=fuzzy)
        return
    before = _tokens(" ".join(parts[:-1]), analysis)
    beginning = Prefix(parts[-1])
    query = Combined(must=(Phrase(before), beginning)) if before else beginning
    _place(found, clause, query, " ".join((*before, parts[-1])) + "*")


def _place(found: Words, clause: Clause, query: Query, told: str, *, among: str | None = None) -> None:
    match clause.sign:
        case "+":
            found.must.append(query)
            found.shown[among or "must"].append(told)
        case "-":
            found.must_not.append(query)
            found.shown["must_not"].append(told)
        case "":
            found.any_of.append(query)
            found.shown[among or "terms"].append(told)
