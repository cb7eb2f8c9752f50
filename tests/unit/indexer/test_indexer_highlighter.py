import html
import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer.engines.analyzers import stemmer
from indexer.engines.highlighter import Highlighter
from indexer.engines.windows import Window
from indexer.query.ast import (
    AnyValue,
    Combined,
    Corrected,
    Everything,
    Identified,
    Phrase,
    Prefix,
    Query,
    Word,
)
from indexer.schema.analysis import tokens
from indexer.schema.definition import Analysis
from indexer.schema.languages import LANGUAGES

FILLER = "lorem ipsum dolor sit amet consectetur adipiscing elit " * 20


def windows(query: Query, text: str, count: int = 3, analysis: Analysis | None = None) -> list[Window]:
    analysis = analysis or Analysis()
    return Highlighter(query, analysis, stemmer(analysis)).windows(text, count)


def marked(query: Query, text: str, analysis: Analysis | None = None) -> list[str]:
    """Return what is marked in all of a text, in order."""
    found = windows(query, text, 1_000, analysis)
    found.sort(key=lambda window: window.start)
    return [
        html.unescape(part) for window in found for part in re.findall("<mark>(.*?)</mark>", window.marked, re.DOTALL)
    ]


def test_a_word_is_marked_in_all_its_inflections_and_in_any_case() -> None:
    assert marked(Word("running"), "Run, he RUNS; running. Runner overrun run_") == ["Run", "RUNS", "running"]


def test_a_phrase_is_marked_only_where_its_words_follow_each_other() -> None:
    text = "Machine-Learning beats learning machine; a machine, learning. machine x learning machine that learning"
    assert marked(Phrase(("machine", "learning")), text) == [
        "Machine-Learning",
        "machine, learning",
        "machine x learning",
    ]


def test_a_phrase_of_one_token_is_marked_as_written_only() -> None:
    assert marked(Phrase(("running",)), "run Running runs") == ["Running"]


def test_a_prefix_marks_whole_words_that_start_so() -> None:
    assert marked(Prefix("hydro"), "Hydrogen, hydro; dehydrogenate hydroöl") == ["Hydrogen", "hydro", "hydroöl"]


def test_the_corrections_of_a_word_are_marked_by_their_stems() -> None:
    query = Corrected("harbuor", ("harbour", "harbor"))
    assert marked(query, "a harbuor, harbours, the harbor and the barber") == ["harbours", "harbor"]


def test_excluded_words_and_conditions_are_never_marked() -> None:
    query = Combined(
        must=(Word("boat"),), where=(AnyValue("tag", ("sail",)), Word("sail")), must_not=(Word("oar"), Phrase(("oar",)))
    )
    assert marked(query, "boat sail oar") == ["boat"]


def test_words_that_only_rank_are_marked_unless_they_rank_for_a_phrase() -> None:
    query = Combined(must=(Phrase(("rate", "limiting")),), ranking=(Word("rate"), Word("limiting"), Word("fast")))
    assert marked(query, "fast rate: rate limiting limits") == ["fast", "rate limiting"]


@pytest.mark.parametrize("query", [Everything(), Identified(("a",)), AnyValue("a", ("boat",)), Combined()])
def test_a_query_without_words_has_no_windows(query: Query) -> None:
    assert windows(query, "boat") == []


def test_a_text_without_matches_has_no_windows() -> None:
    assert windows(Word("boat"), FILLER) == []


def test_scripts_without_blanks_are_marked_by_character() -> None:
    assert marked(Phrase(("日", "本")), "東京は日本の首都です。日xx本") == ["日本"]
    assert marked(Word("首"), "東京は日本の首都です") == ["首"]


def test_letters_of_any_script_bound_words() -> None:
    assert marked(Word("boat"), "éboat boaté boat\u0301 日boat本 boat—boat") == ["boat", "boat", "boat"]


def test_case_counts_where_the_index_keeps_it() -> None:
    assert marked(Word("Boat"), "boat Boat BOAT", Analysis(lowercase=False, language="none")) == ["Boat"]


def test_a_sigma_at_the_end_of_a_word_is_as_any_other() -> None:
    assert marked(Word("σοφοσ"), "ΣΟΦΟΣ", Analysis(language="none")) == ["ΣΟΦΟΣ"]


def test_a_capital_that_lowers_to_two_characters_moves_no_mark() -> None:
    assert marked(Word("ankara"), "İİİ Ankara İzmir") == ["Ankara"]
    (token,) = tokens("İzmir", Analysis(language="none"))
    assert marked(Word(token), "İİİ Ankara İzmir", Analysis(language="none")) == ["İzmir"]


def test_shorter_tokens_than_the_index_keeps_are_not_marked() -> None:
    assert marked(Prefix("bo"), "bo boa boat", Analysis(min_length=4, language="none")) == ["boat"]


def test_everything_but_the_marks_is_escaped() -> None:
    (window,) = windows(Word("boat"), "<script>\"boat\" & 'oar'</script> <mark>")
    shown = "&lt;script&gt;&quot;<mark>boat</mark>&quot; &amp; &#x27;oar&#x27;&lt;/script&gt; &lt;mark&gt;"
    assert window == Window(0, 38, shown)


def test_neighbouring_words_share_a_mark() -> None:
    query = Combined(any_of=(Word("machine"), Word("learning")))
    (window,) = windows(query, "Machine learning, machine-learning\n\nlearning")
    assert window.marked == (
        "<mark>Machine learning</mark>, <mark>machine</mark>-<mark>learning</mark>\n\n<mark>learning</mark>"
    )


@pytest.mark.parametrize(
    ("query", "shown"),
    [
        (Word("nets"), "A <mark>net</mark> &amp; a &lt;boat&gt;"),
        (Corrected("boatt", ("boat",)), "A net &amp; a &lt;<mark>boat</mark>&gt;"),
        (Prefix("bo"), "A net &amp; a &lt;<mark>boat</mark>&gt;"),
        (Phrase(("net", "boat")), "A <mark>net &amp; a &lt;boat</mark>&gt;"),
        (Word("lake"), None),
        (Everything(), None),
    ],
)
def test_a_short_text_is_marked_whole(query: Query, shown: str | None) -> None:
    assert Highlighter(query, Analysis(), stemmer(Analysis())).mark("A net & a <boat>") == shown


def test_a_text_longer_than_a_window_is_marked_whole() -> None:
    marked_whole = Highlighter(Word("boat"), Analysis(), stemmer(Analysis())).mark(f"boat {FILLER}boat")
    assert marked_whole == f"<mark>boat</mark> {FILLER}<mark>boat</mark>"


def test_characters_that_hide_or_reorder_are_left_out() -> None:
    (window,) = windows(Word("boat"), "a\u200b \u202eboat\u202c\u2066 b\ufeff")
    assert window.marked == "a <mark>boat</mark> b"


def test_one_highlighter_serves_many_texts() -> None:
    highlighter = Highlighter(Word("boat"), Analysis(), stemmer(Analysis()))
    texts = ["a boat", "no", "boats, boat", "boat"]
    assert [len(re.findall("<mark>", "".join(w.marked for w in highlighter.windows(t, 3)))) for t in texts] == [
        1,
        0,
        2,
        1,
    ]


@given(
    st.lists(st.sampled_from(["boat", "Boats", "oar", "b", "日", "é", "_", "🚣", "\u0301", "İ", "a"]), max_size=30),
    st.sampled_from(["", " ", "-", "\u200b", "\n"]),
)
def test_marks_stand_exactly_where_the_tokenizer_finds_the_words(parts: list[str], between: str) -> None:
    analysis = Analysis(language="none")
    text = unicodedata.normalize("NFC", between.join(parts))
    wanted = [token for token in tokens(text, analysis) if token in {"boat", "oar", "日"}]
    query = Combined(any_of=(Word("boat"), Word("oar"), Word("日")))
    # Neighbouring words share a mark.
    assert "".join("".join(marked(query, text, analysis)).lower().split()) == "".join(wanted)


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != "none"])
def test_stems_keep_first_letters_that_are_ascii(language: str) -> None:
    stem = stemmer(Analysis(language=language))
    endings = (
        "",
        *["s", "es", "ed", "ing", "ly", "ies", "ying", "ation", "mente", "ement", "er", "en", "heit", "ös", "ão"],
    )
    starts = [
        "sk",
        "d",
        "l",
        "t",
        "id",
        "gent",
        "ugl",
        "earl",
        "onl",
        "qu",
        "y",
        "i",
        "u",
        "ge",
        "be",
        "ar",
        "ca",
        "no",
    ]
    for token in (start + ending for start in starts for ending in endings if len(start + ending) > 1):
        assert (stem(token) or token)[0] == token[0]
