"""Suggests a corrected query (did you mean): replaces words without a match by similar words of the index."""

import asyncio
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final
from unicodedata import normalize

from indexer.deadline import remaining
from indexer.engines.port import Reader, SearchRequest, Target
from indexer.errors import MissingIndex, TimedOut
from indexer.query.ast import Query
from indexer.query.parse_text import Clause
from indexer.query.validate import validate
from indexer.query.validate_words import Corrections
from indexer.schema.analysis import lowered, token_regex, tokens
from indexer.schema.definition import Analysis
from indexer.search.corrections import find_corrections

MAX_TOTAL: Final = 2
"""With more matches than this, no correction is suggested."""
_MAX_WORDS: Final = 5
_SHARE: Final = 0.8
"""Of the time that is left; a search that has its hits does not fail for a suggestion."""
_TIMEOUT_SECONDS: Final = 10.0
"""For all searches of one suggestion together."""


async def suggest_query(
    reader: Reader,
    target: Target,
    clauses: Sequence[Clause],
    *,
    filters: Mapping[str, Query],
    corrections: Corrections,
    total: int,
    found: Corrections | None = None,
) -> str | None:
    """Return a query with more matches, or None.

    A query is corrected only if it has few matches and one of its words occurs in no document. `corrections` are those
    that the search itself applied, and `found` those of all `suggestable_words`, if they were looked up already.
    """
    if total > MAX_TOTAL:
        return None
    try:
        async with asyncio.timeout(remaining(_TIMEOUT_SECONDS) * _SHARE):
            if found is None:
                words = suggestable_words(clauses, target.definition.analysis)
                found = await find_corrections(reader, target, words)
            if not found:
                return None
            replacements = {word: nearest[0] for word, nearest in found.items()}
            corrected = [_correct(clause, replacements, target.definition.analysis) for clause in clauses]
            query = validate(corrected, target.definition, filters=filters, corrections=corrections).query
            corrected_total = (await reader.search(target, SearchRequest(query, size=0))).total
    except (TimedOut, TimeoutError, MissingIndex):
        return None  # the search itself succeeded, so a missing suggestion must not fail it
    return " ".join(_format_clause(clause) for clause in corrected) if corrected_total > total else None


def suggestable_words(clauses: Sequence[Clause], analysis: Analysis) -> list[str]:
    """Return the distinct words that may be misspelt; excluded words (`-word`) are left alone."""
    texts = [clause.text for clause in clauses if clause.sign != "-" and clause.kind in {"word", "phrase"}]
    words = (token for text in texts for token in tokens(normalize("NFC", text), analysis))
    return list(dict.fromkeys(words))[:_MAX_WORDS]


def _correct(clause: Clause, replacements: Mapping[str, str], analysis: Analysis) -> Clause:
    if clause.sign == "-" or clause.kind not in {"word", "phrase"}:
        return clause

    def replacement(match: re.Match[str]) -> str:
        token = lowered(match[0]) if analysis.lowercase else match[0]
        return replacements.get(token, match[0])

    return replace(clause, text=token_regex(analysis).sub(replacement, normalize("NFC", clause.text)))


def _format_clause(clause: Clause) -> str:
    match clause.kind:
        case "phrase":
            return f'{clause.sign}"{clause.text}"'
        case "prefix":
            return f"{clause.sign}{clause.text}*"
        case "all":
            return f"{clause.sign}*"
        case "word":
            return f"{clause.sign}{clause.text}"
