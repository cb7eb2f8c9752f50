"""Ranges by codes hold exactly as the values compare, and never become many terms."""

import operator
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime, timedelta
from math import inf, isfinite, nextafter
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from indexer.schema.metadata_terms import terms_of
from indexer.schema.range_codes import LONGEST_TERM, MAX_RANGE_TERMS, SHORTEST_TERM, range_codes, range_terms
from indexer.schema.values import Bound

steady = settings(derandomize=True, deadline=None, suppress_health_check=list(HealthCheck))
COMPARISONS: Final[Mapping[str, Callable[[Any, Any], bool]]] = {
    "gte": operator.ge,
    "gt": operator.gt,
    "lte": operator.le,
    "lt": operator.lt,
}
LARGEST: Final = 1.7976931348623157e308
SMALLEST: Final = 5e-324
numbers = (
    st.floats(allow_nan=False, allow_infinity=False)
    | st.integers(-(10**18), 10**18).map(float)
    | st.integers(-1_000, 1_000).map(float)
    | st.integers(-1_000, 1_000).map(lambda number: number / 100)
    | st.sampled_from([0.0, -0.0, SMALLEST, -SMALLEST, LARGEST, -LARGEST, 0.1, 1e16, 9007199254740993.0])
)
FIRST, LAST, EPOCH = (
    datetime.min.replace(tzinfo=UTC),
    datetime.max.replace(tzinfo=UTC),
    datetime(1970, 1, 1, tzinfo=UTC),
)
dates = st.datetimes(timezones=st.just(UTC)) | st.sampled_from([FIRST, LAST, EPOCH, datetime(2024, 5, 1, tzinfo=UTC)])
names = st.sets(st.sampled_from(sorted(COMPARISONS)), min_size=1)


def indexed(metadata: Mapping[str, Any]) -> set[str]:
    """Return every term by which the document is found: the beginnings of its codes, as both analyzers make them."""
    codes = list(range_codes(terms_of(metadata)))
    assert all(SHORTEST_TERM <= len(code) <= LONGEST_TERM for code in codes)
    return {code[:length] for code in codes for length in range(SHORTEST_TERM, LONGEST_TERM + 1)}


def holds(metadata: Mapping[str, Any], bounds: Mapping[str, Bound], field: str = "f") -> bool:
    terms = range_terms(field, **bounds)
    assert terms is not None
    assert len(terms) == len(set(terms)) <= MAX_RANGE_TERMS
    return not indexed(metadata).isdisjoint(terms)


def expected(value: object, bounds: Mapping[str, Bound]) -> bool:
    return all(COMPARISONS[name](value, bound) for name, bound in bounds.items())


@given(numbers, names, st.data())
@steady
def test_numbers_are_in_a_range_as_they_compare(value: float, given_bounds: Iterable[str], data: st.DataObject) -> None:
    near = [each for each in (value, nextafter(value, inf), nextafter(value, -inf)) if isfinite(each)]
    bounds = {name: data.draw(numbers | st.sampled_from(near)) for name in given_bounds}
    assert holds({"f": value}, bounds) == expected(value, bounds)


@given(dates, names, st.data())
@steady
def test_dates_are_in_a_range_as_they_compare(
    value: datetime, given_bounds: Iterable[str], data: st.DataObject
) -> None:
    step = timedelta(microseconds=1)
    near = [value, max(value, FIRST + step) - step, min(value, LAST - step) + step]
    bounds = {name: data.draw(dates | st.sampled_from(near)) for name in given_bounds}
    assert holds({"f": value.isoformat()}, bounds) == expected(value, bounds)


@pytest.mark.parametrize("name", COMPARISONS)
def test_neighbours_of_a_bound_are_told_apart(name: str) -> None:
    values = [-LARGEST, -100.0, -99.99, -1.0, -0.01, -SMALLEST, 0.0, SMALLEST, 0.1, 0.1 + 2e-17, 1.0, 9.0, 9.9, 10.0]
    values += [99.0, 99.99999999999999, 100.0, 100.00000000000001, 101.0, 999.0, 1000.0, 1e16, LARGEST]
    for value in values:
        for bound in values:
            assert holds({"f": value}, {name: bound}) == COMPARISONS[name](value, bound), (value, bound)


def test_zero_has_no_sign() -> None:
    assert holds({"f": -0.0}, {"gte": 0.0})
    assert holds({"f": 0.0}, {"lte": -0.0})
    assert not holds({"f": 0.0}, {"gt": -0.0})


def test_an_open_end_holds_all_numbers_of_that_side() -> None:
    for value in (-LARGEST, -1, 0, 1e-300, LARGEST):
        assert holds({"f": value}, {"gte": -LARGEST})
        assert holds({"f": value}, {"lte": LARGEST})


def test_crossed_bounds_and_equal_ones_that_are_excluded_hold_nothing() -> None:
    assert range_terms("f", gte=2.0, lte=1.0) == []
    assert range_terms("f", gt=2.0, lte=2.0) == range_terms("f", gte=2.0, lt=2.0) == []
    assert holds({"f": 2}, {"gte": 2.0, "lte": 2.0})


def test_a_range_sees_its_own_field_and_type_only() -> None:
    others = {"e": 5, "g": 5, "f": ["5", "2025-05-20", True]}
    assert not holds(others, {"gte": -LARGEST})
    assert not holds({"f": 1_000_000}, {"gte": datetime(1970, 1, 1, tzinfo=UTC)})


def test_one_value_of_a_list_must_be_within_both_bounds() -> None:
    assert not holds({"f": [1, 100]}, {"gte": 50.0, "lte": 60.0})
    assert holds({"f": [1, 55, 100]}, {"gte": 50.0, "lte": 60.0})


def test_strings_have_neither_codes_nor_ranges_of_codes() -> None:
    assert list(range_codes(terms_of({"f": ["x", True], "g": "2024"}))) == []
    assert range_terms("f", gte="a") is None


def test_what_people_write_needs_few_terms() -> None:
    """The cost of an index: how often a value is indexed beside its exact term."""
    for value, at_most in ((7, 5), (2024, 8), (19.99, 8), (-250_000, 8), ("2024-05-01", 12), ("2024-05-01T10:00Z", 12)):
        [code] = range_codes(terms_of({"f": value}))
        assert len(code) - SHORTEST_TERM + 1 <= at_most, value


def test_a_range_has_no_more_terms_over_more_values() -> None:
    """Work is counted by the terms that a range stands for: each is looked up once."""
    for low, high, at_most in ((100, 1e300, 200), (500_000, 501_000, 10), (1 / 3, 1e10 / 3, 700), (-1 / 3, 1 / 7, 904)):
        for bounds in ({"gte": float(low), "lte": float(high)}, {"gt": float(low), "lt": float(high)}):
            terms = range_terms("f", **bounds)
            assert terms is not None
            assert len(terms) <= at_most <= MAX_RANGE_TERMS, (bounds, len(terms))
