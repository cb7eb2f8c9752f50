from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from indexer.errors import Invalid, PlatformError
from indexer.query.ast import (
    AnyValue,
    Combined,
    Corrected,
    Everything,
    Exists,
    Nothing,
    Phrase,
    Prefix,
    Query,
    SortKey,
    Word,
)
from indexer.query.exactness import exact_condition
from indexer.query.filters import parse_filters
from indexer.query.parse_text import parse_text
from indexer.query.validate import ParsedQuery, ValidatedQuery, validate
from indexer.query.validate_words import correctable_words
from indexer.schema.definition import Analysis, IndexDefinition


def definition(**chosen: Any) -> IndexDefinition:
    return IndexDefinition(kind="local", version=1, analysis=Analysis(**chosen), sortable={"declared": "number"})


def checked(query: str, **chosen: Any) -> ValidatedQuery:
    analysis = chosen.pop("analysis", {})
    return validate(parse_text(query), definition(**analysis), **chosen)


def tree(query: str, **chosen: Any) -> Query:
    return checked(query, **chosen).query


def long_word(*tokens: str) -> Phrase:
    return Phrase(tokens, 3.0)


def test_of_words_without_a_sign_one_must_match() -> None:
    assert tree("fast python") == Combined(any_of=(Word("fast"), Word("python")))


def test_beside_a_must_words_without_a_sign_only_rank() -> None:
    assert tree("fast +python") == Combined(must=(Word("python"),), ranking=(Word("fast"),))


def test_beside_a_phrase_words_without_a_sign_only_rank() -> None:
    assert tree('fast "machine learning"') == Combined(must=(Phrase(("machine", "learning")),), ranking=(Word("fast"),))


def test_an_excluded_phrase_leaves_words_without_a_sign_as_they_are() -> None:
    assert tree('fast -"machine learning"') == Combined(
        any_of=(Word("fast"),), must_not=(Phrase(("machine", "learning")),)
    )


@pytest.mark.parametrize("query", ["-java", "* -java"])
def test_only_exclusions_match_everything_else(query: str) -> None:
    assert tree(query) == Combined(must_not=(Word("java"),))


def test_an_asterisk_alone_matches_everything() -> None:
    assert tree("*") == Everything()
    assert not checked("*").empty


def test_an_asterisk_between_words_is_text() -> None:
    assert tree("two * three") == Combined(any_of=(Word("two"), Word("three")))


@pytest.mark.parametrize("query", ["", "   ", "()", "a", "-a", '"a"', '-"?"', "🙂", "a*"])
def test_a_blank_query_or_one_without_a_token_is_empty(query: str) -> None:
    assert checked(query).empty
    assert tree(query) == Nothing()


def test_filters_alone_do_not_fill_a_blank_query() -> None:
    assert checked("", filters=parse_filters({"year": 2020})).empty


def test_a_word_of_several_tokens_is_a_phrase_whose_parts_rank() -> None:
    assert tree("rate-limiting") == Combined(
        any_of=(long_word("rate", "limiting"),), ranking=(Word("rate"), Word("limiting"))
    )
    assert tree("+rate-limiting") == Combined(
        must=(long_word("rate", "limiting"),), ranking=(Word("rate"), Word("limiting"))
    )


def test_an_excluded_word_of_several_tokens_excludes_the_phrase_and_ranks_nothing() -> None:
    assert tree("fast -rate-limiting") == Combined(any_of=(Word("fast"),), must_not=(Phrase(("rate", "limiting")),))


def test_a_word_of_several_tokens_leaves_the_others_as_they_are() -> None:
    assert tree("fast rate-limiting") == Combined(
        any_of=(Word("fast"), long_word("rate", "limiting")), ranking=(Word("rate"), Word("limiting"))
    )


def test_a_sentence_without_spaces_ranks_by_so_many_parts_only() -> None:
    sentence = "".join(chr(0x4E00 + number) for number in range(1_000))
    found = tree(sentence)
    assert isinstance(found, Combined)
    assert len(found.ranking) == 256


def test_a_phrase_of_one_token_matches_as_written() -> None:
    assert tree('"Running"') == Combined(must=(Phrase(("running",)),))


def test_prefixes_take_signs_as_words_do() -> None:
    assert tree("wor*") == Combined(any_of=(Prefix("wor"),))
    assert tree("+wor*") == Combined(must=(Prefix("wor"),))
    assert tree("-wor*") == Combined(must_not=(Prefix("wor"),))


def test_a_prefix_needs_two_letters_whatever_the_shortest_word_is() -> None:
    assert tree("wo*", analysis={"min_length": 5}) == Combined(any_of=(Prefix("wo"),))
    assert tree("w*", analysis={"min_length": 1}) == Combined(any_of=(Word("w"),))


def test_a_prefix_after_other_tokens_wants_them_too() -> None:
    assert tree("foo-ba*") == Combined(any_of=(Combined(must=(Phrase(("foo",)), Prefix("ba"))),))


def test_a_prefix_that_ends_in_a_token_of_one_character_is_a_word() -> None:
    assert tree("機械*") == tree("機械")


def test_misspelt_words_are_replaced_by_their_corrections() -> None:
    corrections = {"pyhton": ("python", "pylon")}
    corrected = Corrected("pyhton", ("python", "pylon"))
    assert tree("fast Pyhton", corrections=corrections) == Combined(any_of=(Word("fast"), corrected))
    assert tree("fast +pyhton", corrections=corrections) == Combined(must=(corrected,), ranking=(Word("fast"),))


@pytest.mark.parametrize("query", ['"machin lerning"', "-pyhton", "machin-lerning", "machin*"])
def test_phrases_exclusions_and_prefixes_are_never_corrected(query: str) -> None:
    corrections = {"machin": ("machine",), "lerning": ("learning",), "pyhton": ("python",)}
    assert tree(query, corrections=corrections) == tree(query)
    assert correctable_words(parse_text(query), Analysis()) == []


def test_words_of_one_token_may_be_corrected() -> None:
    assert correctable_words(parse_text("Fast +pyhton fast x* 日"), Analysis()) == ["fast", "pyhton", "日"]


@pytest.mark.parametrize(
    ("query", "condition"),
    [
        ("fast", Everything()),
        ("*", Everything()),
        ("pyhton", Nothing()),
        ("fast pyhton", Combined(any_of=(Word("fast"),))),
        ("fast +pyhton", Nothing()),
        ("+fast pyhton", Everything()),
        ('"fast" pyhton', Everything()),
    ],
)
def test_a_hit_is_exact_if_it_matches_without_corrections(query: str, condition: Query) -> None:
    assert exact_condition(tree(query, corrections={"pyhton": ("python",)})) == condition


def test_filters_become_conditions_that_do_not_score() -> None:
    filters = parse_filters({"year": 2020, "author": {"exists": True}})
    assert tree("python", filters=filters) == Combined(
        any_of=(Word("python"),), where=(AnyValue("year", (2020.0,)), Exists("author"))
    )
    assert tree("*", filters=filters) == Combined(where=(AnyValue("year", (2020.0,)), Exists("author")))


def test_what_is_understood_is_told_by_role_lowered_and_unstemmed() -> None:
    found = checked('Fast +Python -Java "Machine Learning" Runn* -"Big Data" rate-limiting')
    assert found.parsed == ParsedQuery(
        terms=["fast", "runn*"],
        must=["python"],
        must_not=["java", "big data"],
        phrases=["machine learning", "rate limiting"],
    )


def test_case_is_kept_where_the_index_keeps_it() -> None:
    assert checked("Fast", analysis={"lowercase": False}).parsed.terms == ["Fast"]
    assert tree("Fast", analysis={"lowercase": False}) == Combined(any_of=(Word("Fast"),))


def test_words_are_normalised_before_they_are_compared() -> None:
    assert tree("cafe\u0301") == Combined(any_of=(Word("caf\u00e9"),))


def test_sort_keys_have_a_direction() -> None:
    found = checked("x", sort=["-year", "title"], known=["year", "title"])
    assert found.sort == (SortKey("year", descending=True), SortKey("title", descending=False))


@pytest.mark.parametrize("sort", [["year", "-year"], [""], ["-"], [f"f{number}" for number in range(9)]])
def test_sorts_that_mean_nothing_are_refused(sort: list[str]) -> None:
    with pytest.raises(Invalid, match="Invalid sort"):
        checked("x", sort=sort)


def test_facets_are_counted_once_each_and_not_too_many() -> None:
    assert checked("x", facets=["a", "b", "a"]).facets == ("a", "b")
    with pytest.raises(Invalid, match="Too many facets"):
        checked("x", facets=[f"f{number}" for number in range(17)])


@pytest.mark.parametrize("role", ["filter", "sort", "facet"])
def test_an_unknown_field_comes_with_the_closest_names(role: str) -> None:
    asked: dict[str, Any] = {
        "filter": {"filters": parse_filters({"autor": "Smith"})},
        "sort": {"sort": ["-autor"]},
        "facet": {"facets": ["autor"]},
    }[role]
    with pytest.raises(Invalid, match=f"Unknown {role} field: autor") as refused:
        checked("x", known=["author", "year"], **asked)
    assert refused.value.details["closest"] == ["author"]


def test_declared_fields_are_known_before_any_document_has_them() -> None:
    assert checked("x", known=[], sort=["declared"], filters=parse_filters({"declared": 1})).sort


def test_fields_are_not_checked_where_their_names_are_not_known() -> None:
    assert checked("x", known=None, facets=["anything"]).facets == ("anything",)


def test_a_field_name_with_half_a_character_is_refused() -> None:
    with pytest.raises(Invalid, match="Invalid facet field"):
        checked("x", facets=["\ud800"])


@given(
    st.text(alphabet='+-"*( abcé漢ก\u0301\u0130', max_size=200) | st.text(max_size=200),
    st.booleans(),
    st.integers(1, 20),
)
@settings(derandomize=True, deadline=None, suppress_health_check=list(HealthCheck), max_examples=500)
def test_any_query_is_a_tree_or_a_failure(query: str, corrected: bool, min_length: int) -> None:
    try:
        corrections = {query.lower(): ("python",)} if corrected else {}
        found = checked(query, corrections=corrections, analysis={"min_length": min_length})
    except PlatformError:
        return
    assert found.empty == (found.query == Nothing())
