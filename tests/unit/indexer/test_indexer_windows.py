"""Where the highlighter cuts a text, and which windows come first."""

import html
import re
from itertools import pairwise

from indexer.engines.analyzers import stemmer
from indexer.engines.highlighter import Highlighter
from indexer.engines.windows import WINDOW_SIZE, Window
from indexer.query.ast import Combined, Corrected, Query, Word
from indexer.schema.definition import Analysis

FILLER = "lorem ipsum dolor sit amet consectetur adipiscing elit " * 20


def windows(query: Query, text: str, count: int = 3) -> list[Window]:
    return Highlighter(query, Analysis(), stemmer(Analysis())).windows(text, count)


def test_a_short_text_is_one_window_without_dots() -> None:
    (window,) = windows(Word("boat"), "  A boat.\n")
    assert window == Window(2, 9, "A <mark>boat</mark>.")


def test_windows_are_cut_between_words_and_say_so() -> None:
    text = f"{FILLER}boat {FILLER}"
    (window,) = windows(Word("boat"), text)
    assert text[window.start : window.end] == html.unescape(re.sub("</?mark>|…", "", window.marked))
    assert text[window.start - 1] == text[window.end] == " "
    assert window.marked.startswith("…")
    assert window.marked.endswith("…")
    assert WINDOW_SIZE - 30 <= window.end - window.start <= WINDOW_SIZE


def test_text_without_blanks_is_cut_anyway() -> None:
    (window,) = windows(Word("首"), "東" * 500 + "首" + "東" * 500)
    assert window.end - window.start == WINDOW_SIZE


def test_a_long_word_is_never_cut() -> None:
    (window,) = windows(Word("boat"), f"{'a' * 500}-boat-{'b' * 500}")
    assert window.marked == "…<mark>boat</mark>…"


def test_the_window_with_most_different_words_comes_first() -> None:
    text = f"boat boat boat {FILLER} oar {FILLER} boat and oar {FILLER}"
    query = Combined(any_of=(Word("boat"), Word("oar")))
    first, second, third = windows(query, text)
    assert "<mark>boat</mark> and <mark>oar</mark>" in first.marked
    assert second.marked.startswith("<mark>boat boat boat</mark>")
    assert "<mark>oar</mark>" in third.marked


def test_the_corrections_of_a_word_count_once() -> None:
    text = f"boat boot {FILLER} boat, oar"
    query = Combined(any_of=(Corrected("booat", ("boat", "boot")), Word("oar")))
    assert "<mark>oar</mark>" in windows(query, text)[0].marked


def test_windows_with_exact_words_come_before_those_with_more_corrected_ones() -> None:
    text = f"boat and net {FILLER} the oar"
    query = Combined(any_of=(Corrected("baot", ("boat",)), Corrected("nett", ("net",)), Word("oar")))
    first, second = windows(query, text)
    assert "<mark>oar</mark>" in first.marked
    assert "<mark>boat</mark> and <mark>net</mark>" in second.marked


def test_no_more_windows_than_asked_for_and_none_twice() -> None:
    text = f"boat {FILLER}" * 10
    found = sorted(windows(Word("boat"), text, 4), key=lambda window: window.start)
    assert len(found) == 4
    assert all(before.end <= after.start for before, after in pairwise(found))


def test_matches_far_into_a_long_text_are_found() -> None:
    text = "lorem " * 166_000 + "boat"
    (window,) = windows(Word("boats"), text)
    assert window.end == len(text)
