"""Which part of a text a call returns, and which matches are in it."""

import re

from hypothesis import given
from hypothesis import strategies as st

from mcp_server.features.documents.part import part_of


def test_without_a_limit_the_rest_of_the_text_comes() -> None:
    part = part_of("one two", [(0, 3), (4, 7)], 2, None)
    assert (part.text, part.end, part.matches) == ("e two", 7, [(4, 7)])


def test_a_part_ends_before_a_match_that_would_be_cut() -> None:
    part = part_of("one two three", [(4, 7)], 0, 7)
    assert (part.text, part.end, part.matches) == ("one ", 4, [])


def test_a_match_longer_than_its_part_is_left_out() -> None:
    part = part_of("one two three", [(4, 13)], 4, 7)
    assert (part.text, part.end, part.matches) == ("two t", 9, [])


def test_nothing_is_left_at_the_end() -> None:
    part = part_of("one", [(0, 3)], 3, 10)
    assert (part.text, part.end, part.matches) == ("", 3, [])


@given(st.lists(st.sampled_from(["word", "é", "🐟🐟", " ", "\n", '"']), max_size=60), st.integers(4, 60))
def test_parts_add_up_to_the_text_and_its_matches(pieces: list[str], size: int) -> None:
    text = "".join(pieces)
    matches = [found.span() for found in re.finditer("🐟🐟", text)]

    texts, found, offset = [], [], 0
    while offset < len(text):
        part = part_of(text, matches, offset, size)
        assert part.end == offset + len(part.text) > offset
        texts.append(part.text)
        found += part.matches
        offset = part.end

    assert "".join(texts) == text
    assert set(found) <= set(matches)
    if size >= 30:
        assert found == matches
