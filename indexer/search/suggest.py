"""Suggests a corrected query (did you mean): replaces words without a match by similar words of the index."""

import asyncio
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final
from unicodedata import normalize

from indexer.engines.port import Reader, SearchRequest, Target
from indexer.errors import TimedOut
from indexer.query.ast import Combined, Fuzzy, Query, Word
from indexer.query.parse_text import Clause
from indexer.query.validate import validate
from indexer.schema.analysis import lowered, max_edits, token_regex, tokens
from indexer.schema.definition import Analysis
from indexer.text.edit_distance import edits_between

_MAX_TOTAL: Final = 2
"""With more matches than this, no correction is suggested."""
_MAX_WORDS: Final = 5
_SAMPLED_HITS: Final = 20
_SAMPLED_CHARACTERS: Final = 20_000
_TIMEOUT_SECONDS: Final = 10.0
"""For all searches of one suggestion together."""


async def suggest_query(
    reader: Reader,
    target: Target,
    clauses: Sequence[Clause],
    *,
    filters: Mapping[str, Query],
    fuzzy: bool,
    total: int,
) -> str | None:
    """Return a query with more matches, or None.

    A query is corrected only if it has few matches and one of its words occurs in no document.
    """
    if total > _MAX_TOTAL:
        return None
    try:
        async with asyncio.timeout(_TIMEOUT_SECONDS):
            replacements = await _find_replacements(reader, target, _words(clauses, target.definition.analysis))
            if not replacements:
                return None
            corrected = [_correct(clause, replacements, target.definition.analysis) for clause in clauses]
            query = validate(corrected, target.definition, filters=filters, fuzzy=fuzzy).query
            corrected_total = (await reader.search(target, SearchRequest(query, size=0))).total
    except (TimedOut, TimeoutError):
        return None  # the search itself succeeded, so a missing suggestion must not fail it
    return " ".join(_format_clause(clause) for clause in corrected) if corrected_total > total else None


async def _find_replacements(reader: Reader, target: Target, words: Sequence[str]) -> dict[str, str]:
    replacements: dict[str, str] = {}
    for word in words:
        if (await reader.search(target, SearchRequest(Word(word), size=0))).total == 0:
            nearest = await _nearest(reader, target, word)
            if nearest is not None:
                replacements[word] = nearest
    return replacements


async def _nearest(reader: Reader, target: Target, word: str) -> str | None:
    """Return the word of the index with the fewest edits; among several, the most frequent one."""
    edits = max_edits(len(word))
    if edits == 0:
        return None
    request = SearchRequest(Combined(must=(Fuzzy(word, edits),)), size=_SAMPLED_HITS, text=True, payload=False)
    response = await reader.search(target, request)
    counts: Counter[str] = Counter()
    for hit in response.hits:
        counts.update(tokens(hit.text[:_SAMPLED_CHARACTERS], target.definition.analysis))
    ranked = [(edits_between(word, token, edits), -count, token) for token, count in counts.items()]
    near = ((distance, count, token) for distance, count, token in ranked if distance is not None)
    return min(near, default=(0, 0, None))[2]


def _words(clauses: Sequence[Clause], analysis: Analysis) -> list[str]:
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
