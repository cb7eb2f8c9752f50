"""Filters of a catalog search: which there are, for what, and how they are asked."""

from datetime import UTC, datetime
from typing import Any

import pytest

from indexer.errors import PlatformError
from mcp_server.features.quilt.arguments import Scope
from mcp_server.features.quilt.graphql.filters import metadata_filters, system_filter
from mcp_server.features.quilt.query.conditions import (
    BooleanValues,
    Condition,
    DateRange,
    NumberRange,
    NumberValues,
    Prefix,
    TextValues,
    parse_conditions,
)

KNOWN = frozenset({"modified", "size", "ext", "deleted"})


def only(filters: dict[str, Any], scope: Scope = "object") -> Condition:
    (condition,) = parse_conditions(filters, scope)[scope]  # type: ignore[index]  # one kind is asked for
    return condition


def test_without_filters_every_kind_is_wanted() -> None:
    assert parse_conditions(None, "all") == {"package": (), "object": ()}
    assert parse_conditions({}, "object") == {"object": ()}


@pytest.mark.parametrize("given", ["csv", ".csv", "CSV"])
def test_an_extension_is_taken_with_or_without_its_dot(given: str) -> None:
    assert only({"ext": given}).any_of == (TextValues((".csv",)),)


def test_bounds_of_sizes_are_whole_bytes() -> None:
    assert only({"size": {"gt": 10, "lt": 20}}).any_of == (NumberRange(11, 19),)
    assert only({"size": {"gte": 10.5, "lte": 20.5}}).any_of == (NumberRange(11, 20),)
    assert only({"size": 10}).any_of == (NumberValues((10.0,)),)


def test_a_day_means_all_of_it() -> None:
    day = DateRange(datetime(2025, 1, 2, tzinfo=UTC), datetime(2025, 1, 2, 23, 59, 59, 999_000, tzinfo=UTC))
    assert only({"modified": "2025-01-02"}).any_of == (day,)
    after = only({"modified": {"gt": "2025-01-02"}}).any_of
    assert after == (DateRange(datetime(2025, 1, 3, tzinfo=UTC), None),)
    before = only({"modified": {"lt": "2025-01-02T10:00:00+02:00"}}).any_of
    assert before == (DateRange(None, datetime(2025, 1, 2, 7, 59, 59, 999_000, tzinfo=UTC)),)


def test_user_metadata_is_named_by_its_path() -> None:
    assert only({"meta.study": "A34"}, "package").pointer == "/study"
    assert only({"meta.study.phase": True}, "package").any_of == (BooleanValues((True,)),)
    assert only({"meta.study.phase": True}, "package").pointer == "/study/phase"
    assert only({"meta.a/b~c": 1}, "package").pointer == "/a~1b~0c"
    assert only({"meta./a.b": {"prefix": "x"}}, "package") == Condition("meta./a.b", (Prefix("x"),))


def test_a_kind_that_cannot_fulfil_a_condition_is_not_asked_for() -> None:
    assert list(parse_conditions({"ext": "csv"}, "all")) == ["object"]
    assert list(parse_conditions({"meta.a": 1}, "all")) == ["package"]
    everything_else = parse_conditions({"ext": {"not": "csv"}}, "all")
    assert everything_else["package"] == ()
    assert everything_else["object"] == (Condition("ext", (TextValues((".csv",)),), negated=True),)


@pytest.mark.parametrize(
    ("filters", "scope"),
    [
        ({"ext": "csv"}, "package"),
        ({"meta.a": 1}, "object"),
        ({"ext": "csv", "meta.a": 1}, "all"),
        ({"size": "big"}, "all"),
        ({"size": {"gte": "2025-01-01"}}, "all"),
        ({"modified": 2025}, "all"),
        ({"modified": {"gte": 2025}}, "all"),
        ({"ext": 5}, "all"),
        ({"size": {"prefix": "1"}}, "all"),
        ({"meta.a": [1, "b"]}, "package"),
        ({"meta.a": {"gte": "a"}}, "package"),
        ({"meta.": 1}, "package"),
        ({"size": {"gte": 5, "lte": 1}}, "all"),
        ({"ext": {"exists": True}}, "all"),
        ({"size": {"about": 5}}, "all"),
    ],
)
def test_what_cannot_be_asked_is_refused_with_what_can(filters: dict[str, Any], scope: Scope) -> None:
    with pytest.raises(PlatformError) as failed:
        parse_conditions(filters, scope)
    assert failed.value.category in {"validation", "not_applicable"}
    assert failed.value.action


def test_an_unknown_field_comes_with_the_closest() -> None:
    with pytest.raises(PlatformError) as failed:
        parse_conditions({"modfied": "2025-01-01"}, "all")
    assert failed.value.details["closest"] == ["modified"]
    with pytest.raises(PlatformError) as failed:
        parse_conditions({"author": "Smith"}, "all")
    assert failed.value.details["closest"] == ["meta.author"]


def test_graphql_asks_by_inclusive_predicates() -> None:
    conditions = parse_conditions({"ext": ["csv", "md"], "size": {"gt": 10}, "modified": "2025-01-02"}, "object")[
        "object"
    ]
    assert system_filter("object", conditions, KNOWN) == {
        "ext": {"terms": [".csv", ".md"]},
        "size": {"gte": 11.0},
        "modified": {"gte": "2025-01-02T00:00:00.000Z", "lte": "2025-01-02T23:59:59.999Z"},
        "deleted": {"false": True},
    }
    assert system_filter("object", (), frozenset()) is None
    assert system_filter("package", (), KNOWN) is None


def test_graphql_asks_for_metadata_by_its_type() -> None:
    filters = {"meta.a": "x", "meta.b": {"gt": 1}, "meta.c": False, "meta.d": {"prefix": "a*"}, "meta.e": "2025-01-02"}
    asked = metadata_filters(parse_conditions(filters, "package")["package"]) or []
    named = [{name: value for name, value in each.items() if value is not None} for each in asked]
    assert named[0] == {"path": "/a", "keyword": {"terms": ["x"]}}
    assert named[1]["number"]["gte"] > 1
    assert named[2] == {"path": "/c", "boolean": {"true": False, "false": True}}
    assert named[3] == {"path": "/d", "keyword": {"wildcard": "a\\**"}}
    assert named[4]["datetime"]["gte"] == "2025-01-02T00:00:00.000Z"


@pytest.mark.parametrize("given", [{"not": 5}, [5, 6]])
def test_what_graphql_has_no_predicate_for_it_says(given: Any) -> None:
    with pytest.raises(PlatformError) as failed:
        system_filter("object", parse_conditions({"size": given}, "object")["object"], KNOWN)
    assert failed.value.category == "not_applicable"
