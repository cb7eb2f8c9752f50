"""Parses query text into clauses: signs, words, phrases, prefixes. Independent of any index; fails only on limits."""

import re
from dataclasses import dataclass
from typing import Final, Literal

from indexer.errors import Invalid

_MAX_QUERY_LENGTH: Final = 2_000
_MAX_CLAUSES: Final = 64
Sign = Literal["", "+", "-"]
_CONTROL_CHARACTERS: Final = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff]")
_SIGN_PATTERN: Final = re.compile(r"[+-](?=[^\s+-])")
_TEXT_PATTERN: Final = re.compile(r'"?(?:[^\s"]|(?<=\w)")+|"')
_ONLY_PUNCTUATION: Final = re.compile(r"[!-/:-@\[-^`{-~\s]*\Z")


@dataclass(frozen=True, slots=True)
class Clause:
    """One part of a query; `text` is as typed, without its sign, quotes or prefix asterisk."""

    sign: Sign
    kind: Literal["word", "phrase", "prefix", "all"]
    text: str


def parse_text(query: str) -> tuple[Clause, ...]:
    """Split a query into clauses; those that are only punctuation are dropped."""
    _check_limits(query)
    clauses: list[Clause] = []
    position = 0
    while position < len(query):
        if query[position].isspace():
            position += 1
            continue
        clause, position = _parse_clause(query, position)
        if clause.kind == "all" or not _ONLY_PUNCTUATION.match(clause.text):
            clauses.append(clause)
    if len(clauses) > _MAX_CLAUSES:
        raise Invalid(f"The query has more than {_MAX_CLAUSES} clauses", action="Use fewer words, or quote phrases")
    return tuple(clauses)


def _check_limits(query: str) -> None:
    if len(query) > _MAX_QUERY_LENGTH:
        raise Invalid(f"The query is longer than {_MAX_QUERY_LENGTH} characters", action="Search for fewer words")
    if _CONTROL_CHARACTERS.search(query):
        raise Invalid("The query contains control characters", action="Remove them, or replace them by spaces")


def _parse_clause(query: str, start: int) -> tuple[Clause, int]:
    """Return the clause that starts here, and the position after it."""
    sign: Sign = ""
    if signed := _SIGN_PATTERN.match(query, start):
        sign = "+" if signed[0] == "+" else "-"
        start += 1
    if query[start] == '"' and (end := query.find('"', start + 1)) != -1:
        return Clause(sign, "phrase", query[start + 1 : end]), end + 1
    match = _TEXT_PATTERN.match(query, start)
    text, end = (match[0], match.end()) if match else (query[start], start + 1)
    return _word_clause(sign, text), end


def _word_clause(sign: Sign, text: str) -> Clause:
    if text == "*" and sign != "-":
        return Clause(sign, "all", "")
    if text.endswith("*"):
        return Clause(sign, "prefix", text.rstrip("*"))
    return Clause(sign, "word", text)
