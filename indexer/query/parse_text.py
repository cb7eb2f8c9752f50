"""From what a user types to clauses: signs, words, phrases, prefixes. Knows no index; never fails but for limits."""

import re
from dataclasses import dataclass
from typing import Final, Literal

from indexer.errors import Invalid

LONGEST_QUERY: Final = 2_000
MOST_CLAUSES: Final = 64
Sign = Literal["", "+", "-"]
_UNPRINTABLE: Final = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff]")
_SIGNED: Final = re.compile(r"[+-](?=[^\s+-])")
_TEXT: Final = re.compile(r'"?(?:[^\s"]|(?<=\w)")+|"')
_ONLY_PUNCTUATION: Final = re.compile(r"[!-/:-@\[-^`{-~\s]*\Z")


@dataclass(frozen=True, slots=True)
class Clause:
    """One part of a query; `text` is as typed, without sign, quotes and the asterisk of a prefix."""

    sign: Sign
    kind: Literal["word", "phrase", "prefix", "all"]
    text: str


def parse_text(query: str) -> tuple[Clause, ...]:
    """Split a query into its clauses; those that hold only punctuation are left out."""
    _check(query)
    clauses: list[Clause] = []
    position = 0
    while position < len(query):
        if query[position].isspace():
            position += 1
            continue
        clause, position = _next(query, position)
        if clause.kind == "all" or not _ONLY_PUNCTUATION.match(clause.text):
            clauses.append(clause)
    if len(clauses) > MOST_CLAUSES:
        raise Invalid(f"The query has more than {MOST_CLAUSES} clauses", action="Use fewer words, or quote phrases")
    return tuple(clauses)


def _check(query: str) -> None:
    if len(query) > LONGEST_QUERY:
        raise Invalid(f"The query is longer than {LONGEST_QUERY} characters", action="Search for fewer words")
    if _UNPRINTABLE.search(query):
        raise Invalid("The query contains control characters", action="Remove them, or replace them by spaces")


def _next(query: str, start: int) -> tuple[Clause, int]:
    """Return the clause that starts here, and where it ends."""
    sign: Sign = ""
    if signed := _SIGNED.match(query, start):
        sign = "+" if signed[0] == "+" else "-"
        start += 1
    if query[start] == '"' and (end := query.find('"', start + 1)) != -1:
        return Clause(sign, "phrase", query[start + 1 : end]), end + 1
    found = _TEXT.match(query, start)
    text, end = (found[0], found.end()) if found else (query[start], start + 1)
    return _word(sign, text), end


def _word(sign: Sign, text: str) -> Clause:
    if text == "*" and sign != "-":
        return Clause(sign, "all", "")
    if text.endswith("*"):
        return Clause(sign, "prefix", text.rstrip("*"))
    return Clause(sign, "word", text)
