"""Query strings are bounded before they are parsed."""

from pathlib import Path

import pytest

from tests.service import application


@pytest.mark.parametrize("path", ["/api/v1/archives/documents", "/mcp", "/", "/nothing"])
@pytest.mark.parametrize("query", ["a=1&" * 100, "filters=" + "x" * 60_000])
async def test_a_longer_query_string_is_refused_everywhere(tmp_path: Path, path: str, query: str) -> None:
    async with application(tmp_path) as client:
        answer = await client.get(f"{path}?{query}")
    assert answer.status_code == 422
    assert answer.json()["error"] == "The query string is too long"
    assert answer.json()["fix"]["required_action"]


async def test_many_filter_values_in_a_query_string_are_refused_with_the_name_of_the_argument(tmp_path: Path) -> None:
    filters = '{"year":[' + ",".join(["1"] * 20_001) + "]}"
    async with application(tmp_path) as client:
        answer = await client.get(f"/api/v1/archives/documents?filters={filters}")
    assert answer.status_code == 422
    assert answer.json()["error"] == "The argument filters has more than 20,000 values"
    assert answer.json()["details"] == {"limit": {"name": "values", "number": 20_000}}
