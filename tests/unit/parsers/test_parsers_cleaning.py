from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from workers.parsers.builder import Builder, DeclaredMetadata
from workers.parsers.cleaning import clean, is_clean, one_line
from workers.parsers.linked_text import LinkSpan

STEADY = settings(deadline=None, derandomize=True, database=None, suppress_health_check=[HealthCheck.too_slow])
ANYTHING = st.text(st.characters(codec=None), max_size=60)


@STEADY
@given(ANYTHING)
def test_what_was_cleaned_is_clean_and_stays_so(text: str) -> None:
    cleaned = clean(text)

    assert is_clean(cleaned)
    assert clean(cleaned) == cleaned
    assert cleaned.encode().decode() == cleaned


@STEADY
@given(ANYTHING)
def test_a_title_is_one_clean_line(text: str) -> None:
    title = one_line(text)

    assert is_clean(title)
    assert title == title.strip()
    assert "\n" not in title


@STEADY
@given(st.lists(ANYTHING, min_size=1, max_size=6))
def test_a_built_text_is_clean_with_all_offsets_inside(blocks: list[str]) -> None:
    builder = Builder()
    builder.add_block("x")
    for block in blocks:
        builder.add_block(block, [LinkSpan("a.md", len(block) // 2, len(block))])
    document = builder.finish(DeclaredMetadata())

    assert is_clean(document.text)
    assert all(0 <= link.start <= len(document.text) for link in document.links)
    starts = [place.start for place in document.places]
    assert starts == sorted(starts)
    assert all(start <= len(document.text) for start in starts)


def test_offsets_follow_what_cleaning_moves() -> None:
    builder = Builder()
    builder.add_block("e\u0301\u200b first", [LinkSpan("a.md", 4, 9)])
    builder.add_block("second")
    document = builder.finish(DeclaredMetadata())

    assert document.text == "é first\n\nsecond"
    assert document.text[document.links[0].start :].startswith("first")
    assert document.text[document.places[1].start :] == "second"
