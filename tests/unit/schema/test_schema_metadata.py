from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from indexer.engines.conditions import any_value_terms, within_bounds
from indexer.query.ast import AnyValue, Within
from indexer.schema.metadata_terms import (
    facet_prefixes,
    facet_value,
    internal_term,
    key_terms,
    keys_of,
    parse_key,
    prefix_term,
    terms_of,
    value_term,
)

steady = settings(derandomize=True, deadline=None, suppress_health_check=list(HealthCheck))
numbers = st.floats(allow_nan=False, allow_infinity=False) | st.integers(-(10**18), 10**18).map(float)
ASCII = st.characters(codec="ascii")
texts = st.text(max_size=300)


def holds(node: Within, metadata: dict[str, Any]) -> bool:
    bounds = within_bounds(node)
    return any(
        (term > bounds.lower or (bounds.include_lower and term == bounds.lower))
        and (term < bounds.upper or (bounds.include_upper and term == bounds.upper))
        for term in terms_of(metadata)
    )


def test_each_type_has_terms_of_its_own() -> None:
    terms = terms_of({"s": "x", "n": 1, "b": True, "d": "2025-05-20"})
    assert [term[0] for term in terms] == ["s", "n", "b", "s", "d"]


def test_lists_have_a_term_for_each_scalar_and_each_only_once() -> None:
    assert terms_of({"f": ["x", "y", "x", 1, 1.0]}) == (
        value_term("f", "x"),
        value_term("f", "y"),
        value_term("f", 1.0),
    )


@pytest.mark.parametrize(
    "value", [None, {"inner": 1}, [], [None], [[1]], [{"inner": 1}], float("nan"), float("inf"), 10**400]
)
def test_what_cannot_be_filtered_has_no_terms(value: Any) -> None:
    assert terms_of({"f": value}) == keys_of({"f": value}) == ()


def test_2020_equals_2020_0_and_not_the_string_and_true_is_no_number() -> None:
    assert terms_of({"f": 2020}) == terms_of({"f": 2020.0})
    different = {value_term("f", value) for value in (1.0, "1", True)}
    assert len(different) == 3


def test_zero_has_no_sign() -> None:
    assert value_term("f", -0.0) == value_term("f", 0.0)


def test_whole_numbers_beyond_doubles_are_compared_as_doubles() -> None:
    assert terms_of({"f": 2**53 + 1}) == terms_of({"f": float(2**53)})


def test_strings_are_compared_with_case_and_in_one_normal_form() -> None:
    assert value_term("f", "Smith") != value_term("f", "smith")
    assert value_term("f", "cafe\u0301") == value_term("f", "caf\u00e9")


def test_long_strings_are_compared_whole() -> None:
    start = "x" * 256
    assert value_term("f", start + "a") != value_term("f", start + "b")
    assert value_term("f", start) != value_term("f", start + "a")
    assert len(value_term("f", "\U0010ffff" * 100_000)) < 3_000


def test_a_key_too_long_to_be_a_term_is_not_indexed() -> None:
    assert terms_of({"k" * 257: 1}) == keys_of({"k" * 257: 1}) == ()
    assert terms_of({"k" * 256: 1})


@given(st.text(max_size=20), st.text(max_size=20), texts, texts)
@steady
def test_no_two_pairs_of_field_and_value_share_a_term(field: str, other: str, value: str, another: str) -> None:
    same = (field, value_term("", value)) == (other, value_term("", another))
    assert (value_term(field, value) == value_term(other, another)) == same


@given(st.text(max_size=40), texts)
@steady
def test_terms_are_ascii_without_spaces(field: str, value: str) -> None:
    for term in (*terms_of({field: value}), *keys_of({field: value}), prefix_term(field, value)):
        assert term.isascii()
        assert " " not in term


def test_users_cannot_name_internal_terms() -> None:
    ours = internal_term("cites", "doi:10.1/x")
    reachable = {value_term("cites", "doi:10.1/x"), value_term("i\x1fcites", "doi:10.1/x"), *key_terms("cites")}
    assert ours not in reachable
    assert any_value_terms(AnyValue("cites", ("doi:10.1/x",), internal=True)) == (ours,)
    assert any_value_terms(AnyValue("cites", ("doi:10.1/x",))) == (value_term("cites", "doi:10.1/x"),)


def test_a_date_counts_as_a_date_and_any_other_string_as_a_string() -> None:
    assert [parse_key(key) for key in keys_of({"f": ["2025-05-20", "x", 1, False]})] == [
        ("f", "date"),
        ("f", "string"),
        ("f", "number"),
        ("f", "boolean"),
    ]


@given(st.text(max_size=40))
@steady
def test_a_field_exists_by_any_of_its_types(field: str) -> None:
    for value in ("x", "2025-05-20", 1, True):
        assert set(keys_of({field: value})) <= set(key_terms(field))
    assert {parse_key(key)[0] for key in key_terms(field)} == {field}


@given(st.text(max_size=20), st.text(max_size=256).map(lambda text: value_term("", text)).map(facet_value) | numbers)
@steady
def test_a_facet_gives_the_value_back(field: str, value: Any) -> None:
    term = value_term(field, value)
    assert term.startswith(facet_prefixes(field))
    assert facet_value(term) == value


def test_facets_show_booleans_whole_numbers_and_cut_strings_as_such() -> None:
    assert facet_value(value_term("f", True)) is True
    assert facet_value(value_term("f", False)) is False
    assert repr(facet_value(value_term("f", 2020.0))) == "2020"
    assert facet_value(value_term("f", "x" * 300)) == "x" * 256 + "…"


def test_facets_never_count_dates_a_second_time() -> None:
    counted = [term for term in terms_of({"f": "2025-05-20"}) if term.startswith(facet_prefixes("f"))]
    assert [facet_value(term) for term in counted] == ["2025-05-20"]


@given(numbers, numbers)
@steady
def test_ranges_of_numbers_hold_as_numbers_do(value: float, bound: float) -> None:
    assert holds(Within("f", gte=bound), {"f": value}) == (value >= bound)
    assert holds(Within("f", gt=bound), {"f": value}) == (value > bound)
    assert holds(Within("f", lte=bound), {"f": value}) == (value <= bound)
    assert holds(Within("f", lt=bound), {"f": value}) == (value < bound)


@given(st.datetimes(), st.datetimes(), st.sampled_from(["", "Z", "+02:00", "-11:30"]))
@steady
def test_ranges_of_dates_hold_as_moments_do(value: datetime, bound: datetime, zone: str) -> None:
    moment = datetime.fromisoformat(value.isoformat() + (zone or "Z"))
    limit = bound.replace(tzinfo=UTC)
    assert holds(Within("f", gt=limit), {"f": value.isoformat() + zone}) == (moment > limit)
    assert holds(Within("f", lte=limit), {"f": value.isoformat() + zone}) == (moment <= limit)


@given(st.text("ab\U0001f600\uffff z", max_size=5), st.text("ab\U0001f600\uffff z", min_size=1, max_size=5))
@steady
def test_ranges_of_strings_hold_by_code_points(value: str, bound: str) -> None:
    assert holds(Within("f", gte=bound), {"f": value}) == (value >= bound)
    assert holds(Within("f", lt=bound), {"f": value}) == (value < bound)


def test_a_range_sees_its_own_field_and_type_only() -> None:
    other = {"e": 5, "g": 5, "f": ["5", "2025-05-20", True]}
    assert not holds(Within("f", gte=-1e308), other)
    assert not holds(Within("f", lte=1e308), other)
    assert not holds(Within("f", gte="0"), {"f": [5, True], "g": "5"})


def test_of_two_lower_bounds_the_stricter_holds() -> None:
    assert not holds(Within("f", gte=1.0, gt=2.0), {"f": 2})
    assert not holds(Within("f", gte=2.0, gt=2.0), {"f": 2})
    assert not holds(Within("f", lte=2.0, lt=2.0), {"f": 2})
    assert holds(Within("f", lte=2.0, lt=3.0), {"f": 2})


@given(st.text(ASCII, max_size=20), st.text(ASCII, max_size=20))
@steady
def test_a_prefix_is_how_terms_of_longer_strings_start(start: str, rest: str) -> None:
    assert value_term("f", start + rest).startswith(prefix_term("f", start))
