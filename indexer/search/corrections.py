"""Chooses the corrections of misspelt words, the same for both engines."""

from collections.abc import Iterator, Sequence
from typing import Final

from indexer.engines.analyzers import Stem, stemmer
from indexer.engines.counts import WordCount
from indexer.engines.port import Reader, Target
from indexer.query.validate_words import NO_CORRECTIONS, Corrections
from indexer.schema.analysis import max_edits
from indexer.text.edit_distance import edits_between

_MAX_CORRECTIONS: Final = 3
_MIN_LIKELIHOOD: Final = 0.2
"""How likely a further correction must be, relative to the best one. Of the values from 0.05 to 1, this was best."""
_SLIP_FACTOR: Final = 26
"""How much more likely it is to leave out or swap given letters than to type a certain wrong one of 26."""


async def find_corrections(reader: Reader, target: Target, words: Sequence[str]) -> Corrections:
    """Return the corrections of the words that occur nowhere in the index, as far as there are any near them."""
    long_enough = [word for word in words if max_edits(len(word))]
    if not long_enough:
        return NO_CORRECTIONS
    stem = stemmer(target.definition.analysis)
    nearby = await reader.nearby_words(target, long_enough)
    chosen = {word: choose_corrections(word, near, stem) for word, near in nearby.items()}
    return {word: corrections for word, corrections in chosen.items() if corrections}


def corrected_words(corrections: Corrections) -> dict[str, list[str]]:
    """Return the corrections in the form that results have."""
    return {word: list(replacements) for word, replacements in corrections.items()}


def choose_corrections(word: str, nearby: Sequence[WordCount], stem: Stem) -> tuple[str, ...]:
    """Return at most three corrections with different stems, the most likely first.

    Only words with the fewest edits count, and of those with two edits only words with the same first letter, since
    OpenSearch finds no others. A word is the more likely, the more documents contain it or another word
    with its stem.
    """
    best_of_stem: dict[str, tuple[float, str]] = {}
    likelihoods: dict[str, float] = {}
    for near, likelihood in _nearest(word, nearby):
        if (stemmed := stem(near)) is not None:
            likelihoods[stemmed] = likelihoods.get(stemmed, 0) + likelihood
            best_of_stem[stemmed] = min(best_of_stem.get(stemmed, (0, near)), (-likelihood, near))
    ranked = sorted((-likelihood, best_of_stem[stemmed][1]) for stemmed, likelihood in likelihoods.items())
    return tuple(near for likelihood, near in ranked if likelihood <= _MIN_LIKELIHOOD * ranked[0][0])[:_MAX_CORRECTIONS]


def _nearest(word: str, nearby: Sequence[WordCount]) -> Iterator[tuple[str, float]]:
    """Yield the words with the fewest edits, each with its likelihood."""
    edits = {near.word: _edits(word, near.word) for near in nearby}
    fewest = min((count for count in edits.values() if count is not None), default=None)
    for near in nearby:
        if edits[near.word] == fewest is not None:
            yield near.word, near.documents * (_SLIP_FACTOR if _is_slip(word, near.word) else 1)


def _edits(word: str, near: str) -> int | None:
    return edits_between(word, near, max_edits(len(word)) if word[0] == near[0] else 1)


def _is_slip(word: str, meant: str) -> bool:
    """Return whether the word has the letters that are meant, but some swapped or left out."""
    if len(word) == len(meant):
        return sorted(word) == sorted(meant)
    return len(word) < len(meant)
