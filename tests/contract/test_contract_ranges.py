"""Ranges find the same on indices with range codes and on older ones without, until a re-index gives them codes."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

import pytest

from indexer.bootstrap import DEFINITIONS, open_library
from indexer.index.registry import Registry
from indexer.local.definition import LOCAL
from indexer.settings import IndexerSettings
from indexer.tenancy import DEFAULT_INDEX
from tests.contract.caller import Caller
from tests.contract.test_rebuild_index import rebuilt

VALUES: Final[Mapping[str, object]] = {
    "lowest": -1.7976931348623157e308,
    "minus": -12.5,
    "zero": -0.0,
    "tiny": 5e-324,
    "price": 19.99,
    "year": 2024,
    "large": 9007199254740993,
    "several": [3, 1_000_000],
    "midnight": "2024-05-01",
    "noon": "2024-05-01T12:00:00.000001Z",
    "word": "2024 or so",
    "truth": True,
    "nothing": None,
}
FOUND: Final[tuple[tuple[dict[str, Any], set[str]], ...]] = (
    ({"lt": 0}, {"lowest", "minus"}),
    ({"lte": 0}, {"lowest", "minus", "zero"}),
    ({"gt": 0, "lt": 19.99}, {"tiny", "several"}),
    ({"gt": 0, "lte": 19.99}, {"tiny", "price", "several"}),
    ({"gt": 19.99}, {"year", "large", "several"}),
    ({"gte": 2024, "lte": 2024}, {"year"}),
    ({"gte": 9007199254740992}, {"large"}),
    ({"gt": 9007199254740992}, set()),
    ({"gte": 5, "lte": 999_999.5}, {"price", "year"}),
    ({"gte": "2024-05-01", "lte": "2024-05-01"}, {"midnight", "noon"}),
    ({"gt": "2024-05-01T00:00:00Z"}, {"noon"}),
    ({"lt": "2024-05-01T12:00:00.000001Z"}, {"midnight"}),
    ({"gt": "2024-05-01"}, set()),
    ({"gte": "2024 ", "lt": "2025 "}, {"word", "midnight", "noon"}),
)


async def check(caller: Caller) -> None:
    for bounds, found in FOUND:
        assert await caller.matching("boat", filters={"v": bounds}) == found, bounds
    others = await caller.matching("boat", filters={"v": {"not": "2024-05-01"}})
    assert others == VALUES.keys() - {"midnight", "noon"}


def documents() -> dict[str, tuple[str, dict[str, object]]]:
    return {id_: ("a boat", {"v": value, "other": 2024}) for id_, value in VALUES.items()}


async def test_an_index_without_range_codes_answers_the_same_before_and_after_it_gets_them(
    caller: Caller, engine_settings: IndexerSettings
) -> None:
    before = open_library(engine_settings)
    definitions = {**DEFINITIONS, "local": replace(LOCAL, version=1, range_codes=False)}
    registry = Registry(before.engine.records, definitions, max_indices=200)
    try:
        await Caller(replace(before, registry=registry), caller.principal).fill(documents())
    finally:
        await before.aclose()
    await caller.fill({"later": ("a boat", {"v": 2024.5})})
    assert await caller.matching("boat", filters={"v": {"gt": 2024, "lt": 2025}}) == {"later"}
    await caller.delete("later")
    await check(caller)
    [record] = (await caller.indices())["indices"]
    assert (record["outdated"], record["definition_version"]) == (True, 1)
    await rebuilt(caller)
    [record] = (await caller.indices())["indices"]
    assert (record["outdated"], record["definition_version"]) == (False, LOCAL.version)
    definition = caller.library.registry.get(caller.principal.team, DEFAULT_INDEX).definition
    assert definition.range_codes
    await check(caller)


async def test_values_that_are_replaced_or_deleted_are_in_no_range_any_more(caller: Caller) -> None:
    await caller.fill({"a": ("boat", {"v": 5}), "b": ("boat", {"v": 6})})
    await caller.fill({"a": ("boat", {"v": 50})})
    await caller.delete("b")
    assert await caller.matching("boat", filters={"v": {"gte": 5, "lte": 6}}) == set()
    assert await caller.matching("boat", filters={"v": {"gt": 6}}) == {"a"}


@pytest.mark.parametrize("detail", ["facets", "sort"])
async def test_facets_and_sorting_never_see_range_codes(caller: Caller, detail: str) -> None:
    await caller.fill({f"d{n}": ("boat", {"v": n / 4}) for n in range(6)})
    within = {"v": {"gt": 0.25}}
    if detail == "facets":
        page = await caller.search("boat", filters=within, facets=["v"])
        assert [entry["value"] for entry in page["facets"]["v"]] == [0.5, 0.75, 1, 1.25]
    else:
        assert await caller.found("boat", filters=within, sort=["-v"]) == ["d5", "d4", "d3", "d2"]
