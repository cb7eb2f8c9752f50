"""Did you mean: a whole corrected query, from words of the index itself that are near to those without a match."""

import asyncio
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Final
from unicodedata import normalize

from indexer.engines.port import Reader, SearchRequest, Target
from indexer.errors import TimedOut
from indexer.query.ast import Combined, Fuzzy, Query, Word
from indexer.query.parse_text import Clause
from indexer.query.validate import validate
from indexer.schema.analysis import lowered, most_edits, token_pattern, tokens
from indexer.schema.definition import Analysis
from indexer.text.edit_distance import edits_between

_FEW: Final = 2
_MOST_WORDS: Final = 5
_HITS: Final = 20
_CHARACTERS: Final = 20_000
_SECONDS: Final = 10.0
"""For all of its small searches together."""


async def corrected(
    reader: Reader,
    target: Target,
    clauses: Sequence[Clause],
    *,
    filters: Mapping[str, Query],
    fuzzy: bool,
    total: int,
) -> str | None:
    """Return a query that finds more, where few or none matched and a word of the query is in no document."""
    if total > _FEW:
        return None
    try:
        async with asyncio.timeout(_SECONDS):
            better = await _replacements(reader, target, _words(clauses, target.definition.analysis))
            if not better:
                return None
            changed = [_changed(clause, better, target.definition.analysis) for clause in clauses]
            query = validate(changed, target.definition, filters=filters, fuzzy=fuzzy).query
            found = (await reader.search(target, SearchRequest(query, size=0))).total
    except (TimedOut, TimeoutError):
        return None  # the answer is there; a suggestion is not worth failing it
    return " ".join(_written(clause) for clause in changed) if found > total else None


async def _replacements(reader: Reader, target: Target, words: Sequence[str]) -> dict[str, str]:
    better: dict[str, str] = {}
    for word in words:
        if (await reader.search(target, SearchRequest(Word(word), size=0))).total == 0:
            nearest = await _nearest(reader, target, word)
            if nearest is not None:
                better[word] = nearest
    return better


async def _nearest(reader: Reader, target: Target, word: str) -> str | None:
    """Return the index's word with the fewest edits, of those the most frequent one."""
    most = most_edits(len(word))
    if most == 0:
        return None
    wanted = SearchRequest(Combined(must=(Fuzzy(word, most),)), size=_HITS, text=True, payload=False)
    found = await reader.search(target, wanted)
    counted: Counter[str] = Counter()
    for hit in found.hits:
        counted.update(tokens(hit.text[:_CHARACTERS], target.definition.analysis))
    near = [(edits_between(word, token, most), -count, token) for token, count in counted.items()]
    return min(((far, count, token) for far, count, token in near if far is not None), default=(0, 0, None))[2]


def _words(clauses: Sequence[Clause], analysis: Analysis) -> list[str]:
    """Return the different words that may be misspelt: never those that must not match."""
    asked = [clause.text for clause in clauses if clause.sign != "-" and clause.kind in {"word", "phrase"}]
    found = (token for text in asked for token in tokens(normalize("NFC", text), analysis))
    return list(dict.fromkeys(found))[:_MOST_WORDS]


def _changed(clause: Clause, better: Mapping[str, str], analysis: Analysis) -> Clause:
    if clause.sign == "-" or clause.kind not in {"word", "phrase"}:
        return clause

    def instead(found: re.Match[str]) -> str:
        token = lowered(found[0]) if analysis.lowercase else found[0]
        return better.get(token, found[0])

    return replace(clause, text=_pattern(analysis).sub(instead, normalize("NFC", clause.text)))


@cache
def _pattern(analysis: Analysis) -> re.Pattern[str]:
    return re.compile(token_pattern(analysis))


def _written(clause: Clause) -> str:
    match clause.kind:
        case "phrase":
            return f'{clause.sign}"{clause.text}"'
        case "prefix":
            return f"{clause.sign}{clause.text}*"
        case "all":
            return f"{clause.sign}*"
        case "word":
            return f"{clause.sign}{clause.text}"
