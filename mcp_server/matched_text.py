"""Renders as text how hits were found, and how misspelt words were corrected."""

from collections.abc import Iterator, Mapping, Sequence

from indexer.engines.port import Matched


def matched_text(matched: Matched) -> str:
    """Return what follows a hit's score; nothing for the usual case."""
    return "" if matched == "exact" else f", {matched}"


def corrected_lines(corrected: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """Yield one line for each misspelt word, with the words that were searched instead."""
    for word, corrections in corrected.items():
        yield f"{word}: occurs nowhere, searched as {', '.join(corrections)}"
