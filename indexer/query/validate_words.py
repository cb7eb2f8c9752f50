"""Builds the part of the query tree that searches text, and the list of tokens that callers see."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final
from unicodedata import normalize

from indexer.query.ast import Combined, Corrected, Phrase, Prefix, Query, Word
from indexer.query.parse_text import Clause
from indexer.schema.analysis import tokens
from indexer.schema.definition import Analysis

Corrections = Mapping[str, tuple[str, ...]]
"""Words that occur nowhere in the index, with the words that replace them, the most likely one first."""
NO_CORRECTIONS: Final[Corrections] = {}
_MAX_PARTS: Final = 256
"""How many parts of long words may add to the score. In scripts without spaces a whole sentence is one word."""
_MIN_PREFIX_LENGTH: Final = 2
_LONG_WORD_SCORE: Final = 3.0
"""See `_add_long_word`."""


@dataclass(frozen=True, slots=True)
class TextQueries:
    """Queries by their role in `Combined`, and the tokens as callers see them."""

    must: list[Query] = field(default_factory=list)
    any_of: list[Query] = field(default_factory=list)
    ranking: list[Query] = field(default_factory=list)
    must_not: list[Query] = field(default_factory=list)
    parsed: dict[str, list[str]] = field(
        default_factory=lambda: {"terms": [], "must": [], "must_not": [], "phrases": []}
    )


def build_text_queries(clauses: Sequence[Clause], analysis: Analysis, corrections: Corrections) -> TextQueries:
    """Build a query for each clause; clauses without a token are dropped."""
    result = TextQueries()
    for clause in clauses:
        match clause.kind:
            case "phrase":
                _add_phrase(result, clause, _tokens(clause.text, analysis))
            case "word":
                _add_word(result, clause, _tokens(clause.text, analysis), corrections)
            case "prefix":
                _add_prefix(result, clause, analysis, corrections)
            case "all":
                pass
    result.ranking[_MAX_PARTS:] = []
    return result


def correctable_words(clauses: Sequence[Clause], analysis: Analysis) -> list[str]:
    """Return the distinct tokens that `build_text_queries` may correct: words of one token without `-`."""
    words = (_tokens(clause.text, analysis) for clause in clauses if _is_correctable(clause, analysis))
    return list(dict.fromkeys(parts[0] for parts in words if len(parts) == 1))


def _tokens(text: str, analysis: Analysis) -> tuple[str, ...]:
    return tuple(tokens(normalize("NFC", text), analysis))


def _add_phrase(result: TextQueries, clause: Clause, parts: tuple[str, ...]) -> None:
    if not parts:
        return
    if clause.sign == "-":
        result.must_not.append(Phrase(parts))
        result.parsed["must_not"].append(" ".join(parts))
    else:
        result.must.append(Phrase(parts))
        result.parsed["phrases"].append(" ".join(parts))


def _add_word(result: TextQueries, clause: Clause, parts: tuple[str, ...], corrections: Corrections) -> None:
    if len(parts) > 1:
        _add_long_word(result, clause, parts)
    elif parts:
        token = parts[0]
        replaced = token in corrections and clause.sign != "-"
        query = Corrected(token, corrections[token]) if replaced else Word(token)
        _add_by_sign(result, clause, query, token)


def _add_long_word(result: TextQueries, clause: Clause, parts: tuple[str, ...]) -> None:
    """Add a word of several tokens: it matches only as a phrase, and its parts add to the score.

    The phrase itself scores a constant. Its BM25 would count the parts twice, and relevance was worse on two
    collections. Of the constants from 0 to 8, those from 2 to 4 were best on both.
    """
    if clause.sign == "-":
        _add_by_sign(result, clause, Phrase(parts), " ".join(parts))
        return
    result.ranking.extend(Word(part) for part in dict.fromkeys(parts))
    _add_by_sign(result, clause, Phrase(parts, _LONG_WORD_SCORE), " ".join(parts), role="phrases")


def _add_prefix(result: TextQueries, clause: Clause, analysis: Analysis, corrections: Corrections) -> None:
    """Add a prefix: tokens before the last must match as a phrase. The index's `min_length` does not limit the last."""
    parts = _prefix_tokens(clause, analysis)
    if not parts:
        _add_word(result, clause, _tokens(clause.text, analysis), corrections)
        return
    preceding = _tokens(" ".join(parts[:-1]), analysis)
    prefix = Prefix(parts[-1])
    query = Combined(must=(Phrase(preceding), prefix)) if preceding else prefix
    _add_by_sign(result, clause, query, " ".join((*preceding, parts[-1])) + "*")


def _prefix_tokens(clause: Clause, analysis: Analysis) -> tuple[str, ...]:
    """Return the tokens of a prefix clause; none if it is too short for a prefix, and so a word."""
    parts = _tokens(clause.text, replace(analysis, min_length=1))
    return parts if parts and len(parts[-1]) >= _MIN_PREFIX_LENGTH else ()


def _is_correctable(clause: Clause, analysis: Analysis) -> bool:
    if clause.sign == "-":
        return False
    return clause.kind == "word" or (clause.kind == "prefix" and not _prefix_tokens(clause, analysis))


def _add_by_sign(result: TextQueries, clause: Clause, query: Query, label: str, *, role: str | None = None) -> None:
    match clause.sign:
        case "+":
            result.must.append(query)
            result.parsed[role or "must"].append(label)
        case "-":
            result.must_not.append(query)
            result.parsed["must_not"].append(label)
        case "":
            result.any_of.append(query)
            result.parsed[role or "terms"].append(label)
