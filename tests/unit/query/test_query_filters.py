from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from indexer.errors import Invalid, PlatformError
from indexer.query.ast import AnyValue, Combined, Exists, Nothing, Query, StartsWith, Within
from indexer.query.filters import parse_filters

DAY = datetime(2025, 5, 20, tzinfo=UTC)
END = datetime(2025, 5, 20, 23, 59, 59, 999999, tzinfo=UTC)


def condition(given: Any) -> Query:
    return parse_filters({"f": given})["f"]


def test_no_filters_are_no_conditions() -> None:
    assert parse_filters(None) == parse_filters({}) == {}


@pytest.mark.parametrize(
    ("given", "value"),
    [("Smith", "Smith"), (2020, 2020.0), (2020.5, 2020.5), (True, True), (False, False), ("2020", "2020"), ("", "")],
)
def test_a_value_is_compared_by_its_own_type(given: Any, value: Any) -> None:
    found = condition(given)
    assert found == AnyValue("f", (value,))
    assert isinstance(found, AnyValue)
    assert type(found.values[0]) is type(value)


def test_a_list_means_any_of_its_values() -> None:
    assert condition(["a", 1, True]) == AnyValue("f", ("a", 1.0, True))


def test_a_day_means_all_of_it() -> None:
    assert condition("2025-05-20") == Within("f", gte=DAY, lte=END)


def test_the_last_day_of_the_calendar_is_a_day() -> None:
    found = condition("9999-12-31")
    assert isinstance(found, Within)
    assert found.lte == datetime(9999, 12, 31, 23, 59, 59, 999999, tzinfo=UTC)


@pytest.mark.parametrize(
    "text", ["2025-05-20T10:00:00Z", "2025-05-20T10:00", "2025-05-20 10:00:00.000000", "2025-05-20T12:00:00+02:00"]
)
def test_a_time_is_one_moment_in_utc_unless_it_has_a_zone(text: str) -> None:
    moment = datetime(2025, 5, 20, 10, tzinfo=UTC)
    assert condition(text) == Within("f", gte=moment, lte=moment)


@pytest.mark.parametrize("text", ["2025", "2025-05", "20250520", "2025-02-30", "2025-05-20T25:00", "May 20, 2025"])
def test_what_is_no_whole_date_is_a_string(text: str) -> None:
    assert condition(text) == AnyValue("f", (text,))


def test_dates_and_others_may_stand_in_one_list() -> None:
    assert condition(["soon", "2025-05-20"]) == Combined(
        any_of=(AnyValue("f", ("soon",)), Within("f", gte=DAY, lte=END))
    )


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"gte": 1, "lt": 2}, Within("f", gte=1.0, lt=2.0)),
        ({"gt": 1.5}, Within("f", gt=1.5)),
        ({"lte": "m"}, Within("f", lte="m")),
        ({"gte": "2025-05-20"}, Within("f", gte=DAY)),
        ({"gt": "2025-05-20"}, Within("f", gt=END)),
        ({"lte": "2025-05-20"}, Within("f", lte=END)),
        ({"lt": "2025-05-20"}, Within("f", lt=DAY)),
        ({"gte": "2025-05-20", "lte": "2025-05-20"}, Within("f", gte=DAY, lte=END)),
    ],
)
def test_ranges_take_numbers_strings_and_dates(given: Any, expected: Query) -> None:
    assert condition(given) == expected


@pytest.mark.parametrize(
    "given", [{"gte": 2, "lte": 1}, {"gt": "b", "lt": "a"}, {"gte": "2025-05-21", "lte": "2025-05-20"}]
)
def test_a_range_whose_ends_are_crossed_holds_nowhere(given: Any) -> None:
    assert condition(given) == Nothing()


@pytest.mark.parametrize(
    "given",
    [
        {"gte": 1, "lte": "2"},
        {"gte": "2025-05-20", "lte": "z"},
        {"gte": True},
        {"gte": 1, "lt": False},
        {"gte": 1, "lt": "2025-05-20"},
    ],
)
def test_the_bounds_of_a_range_are_of_one_type(given: Any) -> None:
    with pytest.raises(Invalid, match="The range on f must have bounds of one type"):
        condition(given)


def test_exists_and_its_contrary() -> None:
    assert condition({"exists": True}) == Exists("f")
    assert condition({"exists": False}) == Combined(must_not=(Exists("f"),))


@pytest.mark.parametrize("unwanted", ["a", ["a"]])
def test_not_takes_a_value_or_a_list(unwanted: Any) -> None:
    assert condition({"not": unwanted}) == Combined(must_not=(AnyValue("f", ("a",)),))


def test_not_a_day_means_none_of_it() -> None:
    assert condition({"not": "2025-05-20"}) == Combined(must_not=(Within("f", gte=DAY, lte=END),))


def test_a_prefix_is_compared_with_case() -> None:
    assert condition({"prefix": "Research/"}) == StartsWith("f", "Research/")


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"gte": None},
        {"equals": 1},
        {"exists": 1},
        {"exists": True, "gte": 1},
        {"not": {"gte": 1}},
        {"not": None},
        {"not": []},
        {"prefix": 1},
        {"prefix": ""},
        {"prefix": "x" * 257},
        {"prefix": "\ud800"},
        {"gte": "x" * 257},
        {"gte": 1, "unknown": 2},
        None,
        [],
        [None],
        [["nested"]],
        [{"gte": 1}],
        ["x"] * 1_001,
        10**400,
        float("nan"),
        float("inf"),
        "\udc00",
        "secret" * 2_000,
    ],
)
def test_a_wrong_shape_names_the_field_and_what_to_do_and_never_the_value(given: Any) -> None:
    with pytest.raises(Invalid) as refused:
        parse_filters({"author": given})
    failure = refused.value.failure()
    assert "author" in failure["error"]
    assert failure["fix"]["required_action"]
    assert "secret" not in str(failure)


def test_a_null_is_told_about_exists() -> None:
    with pytest.raises(Invalid) as refused:
        condition(None)
    assert "exists" in refused.value.action


def test_thirty_two_filters_are_accepted_and_one_more_is_not() -> None:
    assert len(parse_filters({f"f{number}": 1 for number in range(32)})) == 32
    with pytest.raises(Invalid, match="32 filters"):
        parse_filters({f"f{number}": 1 for number in range(33)})


def test_dates_are_limited_over_all_filters() -> None:
    days = ["2025-05-20"] * 128
    assert parse_filters({"a": days, "b": {"not": days}})
    with pytest.raises(Invalid, match="Too many dates"):
        parse_filters({"a": days, "b": {"not": days}, "c": "2025-05-20"})


def test_a_field_name_with_half_a_character_is_refused() -> None:
    with pytest.raises(Invalid, match="UTF-8"):
        parse_filters({"\ud800": 1})


scalars = (
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(alphabet=st.characters(codec=None), max_size=20)
)
dates = st.datetimes().map(str) | st.dates().map(str)
names = st.sampled_from(["gte", "gt", "lte", "lt", "exists", "not", "prefix", "other"])
shapes = st.recursive(
    scalars | dates,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(names, inner, max_size=4),
    max_leaves=8,
)


@given(st.dictionaries(st.text(alphabet=st.characters(codec=None), max_size=10), shapes, max_size=5))
@settings(derandomize=True, deadline=None, suppress_health_check=list(HealthCheck), max_examples=500)
def test_any_json_is_conditions_or_a_failure(filters: dict[str, Any]) -> None:
    try:
        conditions = parse_filters(filters)
    except PlatformError:
        return
    assert conditions.keys() == filters.keys()
