"""What the outline of a JSON text says is what a parser makes of it, wherever the pieces end."""

import json
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_server.json_body.outline import LONG, Outline

TEXTS = st.one_of(
    st.text(alphabet=st.sampled_from('a"\\{}[],:é😀\n'), max_size=12),
    st.builds(lambda text, times: text * times, st.sampled_from(['"', "\\", "x", '\\"[', "é"]), st.integers(400, 1100)),
)
LEAVES = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), TEXTS)
VALUES = st.recursive(
    LEAVES, lambda inner: st.one_of(st.lists(inner), st.dictionaries(TEXTS, inner, max_size=5)), max_leaves=25
)


def outlined(text: bytes, ends: list[int] | None = None) -> Outline:
    """Feed a text in pieces that end at these places."""
    outline = Outline()
    places = sorted({0, len(text), *(min(end, len(text)) for end in ends or [])})
    for start, end in pairwise(places):
        outline.feed(text[start:end])
    return outline


def counts(outline: Outline) -> tuple[Any, ...]:
    return outline.values, outline.depth, outline.strings, outline.outside, outline.long, outline.is_complete


def inner_values(value: Any) -> list[Any]:
    return value if isinstance(value, list) else list(value.values()) if isinstance(value, dict) else []


def values_in(value: Any) -> int:
    inner = inner_values(value)
    return max(1, len(inner)) + sum(values_in(each) - 1 for each in inner) + isinstance(value, list | dict)


def depth_of(value: Any) -> int:
    return isinstance(value, list | dict) + max(map(depth_of, inner_values(value)), default=0)


def strings_in(value: Any) -> list[str]:
    names = list(value) if isinstance(value, dict) else [value] if isinstance(value, str) else []
    return names + [text for each in inner_values(value) for text in strings_in(each)]


@given(
    value=VALUES,
    is_ascii=st.booleans(),
    indent=st.sampled_from([None, 1, "\t"]),
    ends=st.lists(st.integers(0, 4000), max_size=20),
)
def test_counts_and_positions_agree_with_the_parser(
    value: Any, *, is_ascii: bool, indent: Any, ends: list[int]
) -> None:
    text = json.dumps(value, ensure_ascii=is_ascii, indent=indent).encode()
    outline = outlined(text, ends)
    written = [json.dumps(each, ensure_ascii=is_ascii).encode() for each in strings_in(value)]
    assert outline.values == values_in(value)
    assert outline.depth == depth_of(value)
    assert outline.strings == len(written)
    assert outline.outside == len(text) - sum(len(each) - 2 for each in written) - 2 * len(written)
    found = [text[start:end] for start, end in outline.long]
    assert sorted(found) == sorted(each for each in written if len(each) >= LONG)
    assert max(outline.longest, LONG) == max(map(len, written), default=LONG) or not found
    assert outline.is_complete


@given(text=st.lists(st.sampled_from([b'"', b"\\", b"[", b"]", b"{", b"}", b",", b"a", b'\\"', b"\xff"])).map(b"".join))
def test_the_counts_do_not_depend_on_where_pieces_end_even_if_the_text_is_no_json(text: bytes) -> None:
    assert counts(outlined(text)) == counts(outlined(text, list(range(len(text)))))


@pytest.mark.parametrize("text", [b'{"a": "b', b'{"a": [1]', b'"a\\"', b"[[]"])
def test_an_unfinished_text_is_not_complete(text: bytes) -> None:
    assert not outlined(text).is_complete


@pytest.mark.parametrize("backslashes", range(6))
def test_a_quote_ends_a_string_unless_an_odd_number_of_backslashes_stands_before_it(backslashes: int) -> None:
    text = b'["' + b"\\" * backslashes + b'", ["'
    expected = 2 if backslashes % 2 == 0 else 1
    for end in range(len(text)):
        assert outlined(text, [end]).depth == expected
