"""Finds a phrase of several tokens in a text, in time that grows with the text and not with the phrase."""

import re
from collections import deque
from collections.abc import Iterator, Sequence

from indexer.schema.characters import is_word_character, single_character_token
from indexer.threads import Check


def phrase_spans(text: str, phrase: Sequence[str], token: re.Pattern[str], check: Check) -> Iterator[tuple[int, int]]:
    """Yield where the phrase stands, also if two of these places overlap; `check` may end the work at each token.

    This is the algorithm of Knuth, Morris and Pratt: of a text like "aa aa aa …", no token is compared again and again.
    """
    resume = _resume_after(phrase)
    starts: deque[int] = deque()
    """Where the tokens stand that match the beginning of the phrase."""
    at = 0
    while True:
        check()
        if not starts:
            first = next_token(text, phrase[0], at)
            if first is None:
                return
            starts.append(first[0])
            at = first[1]
        found = token.search(text, at)
        if found is None:
            return
        at = found.end()
        while starts and found[0] != phrase[len(starts)]:
            _drop(starts, len(starts) - resume[len(starts)])
        if starts or found[0] == phrase[0]:
            starts.append(found.start())
        if len(starts) == len(phrase):
            yield starts[0], at
            _drop(starts, len(starts) - resume[len(starts)])


def token_spans(text: str, token: str) -> Iterator[tuple[int, int]]:
    """Yield the positions of this token."""
    span = next_token(text, token, 0)
    while span is not None:
        yield span
        span = next_token(text, token, span[1])


def next_token(text: str, token: str, start: int) -> tuple[int, int] | None:
    """Return the first position from `start` on of this token, but not of the same letters within a longer token."""
    is_whole_token = single_character_token().fullmatch(token) is not None
    while (start := text.find(token, start)) >= 0:
        end = start + len(token)
        if is_whole_token or not (
            (start > 0 and is_word_character(text[start - 1])) or (end < len(text) and is_word_character(text[end]))
        ):
            return start, end
        start = end
    return None


def _resume_after(phrase: Sequence[str]) -> list[int]:
    """Return for each number of matched tokens how many of the last ones begin the phrase too."""
    resume = [0, 0]
    matched = 0
    for token in phrase[1:]:
        while matched and token != phrase[matched]:
            matched = resume[matched]
        if token == phrase[matched]:
            matched += 1
        resume.append(matched)
    return resume


def _drop(starts: deque[int], count: int) -> None:
    for _ in range(count):
        starts.popleft()
