"""Who is asked, and what a caller gets when nobody answers."""

import json
from typing import Any

import pytest

from indexer.errors import Invalid, NotConfigured, PlatformError, RateLimited, TimedOut, Unavailable
from mcp_server.search_source import Answer, Question
from tests.unit.everywhere.made_sources import answered, fails, finding, finds, source

NOT_CONFIGURED = NotConfigured("OSDU is not configured", action="Set TRAWL_OSDU_URL", details={"missing": ["URL"]})


async def failure(*sources: Any, **arguments: Any) -> PlatformError:
    with pytest.raises(PlatformError) as raised:
        await answered(*sources, **arguments)
    return raised.value


async def test_all_that_are_configured_are_asked_but_not_the_web() -> None:
    everything = [finds("archive"), finds("indices"), finds("osdu"), finds("quilt"), finds("web")]
    result = await answered(*everything)
    assert [outcome["source"] for outcome in result["sources"]] == ["archive", "indices", "osdu", "quilt"]
    assert result["not_configured"] == []


@pytest.mark.parametrize("sources", [None, []])
async def test_what_is_not_configured_is_not_asked_but_told(sources: list[Any] | None) -> None:
    result = await answered(finds("archive"), fails("osdu", NOT_CONFIGURED, is_configured=False), sources=sources)
    assert [outcome["source"] for outcome in result["sources"]] == ["archive"]
    assert result["not_configured"] == ["osdu"]


async def test_those_named_are_asked_once_and_in_that_order() -> None:
    everything = [finds("archive", finding("a")), finds("indices", finding("i")), finds("web", finding("w"))]
    result = await answered(*everything, sources=["web", "archive", "web"])
    assert [outcome["source"] for outcome in result["sources"]] == ["web", "archive"]
    assert [hit["id"] for hit in result["results"]] == ["w", "a"]


async def test_one_that_is_named_and_not_configured_says_so_while_the_others_answer() -> None:
    unset = fails("osdu", NOT_CONFIGURED, is_configured=False)
    result = await answered(finds("archive", finding("a")), unset, sources=["osdu", "archive"])
    assert result["sources"][0]["error"] == "OSDU is not configured"
    assert result["sources"][0]["fix"] == {"required_action": "Set TRAWL_OSDU_URL"}
    assert [hit["id"] for hit in result["results"]] == ["a"]


async def test_a_blank_query_finds_nothing_and_asks_nobody() -> None:
    async def never(_: Question) -> Answer:
        raise AssertionError

    unset = fails("quilt", NOT_CONFIGURED, is_configured=False)
    result = await answered(source("archive", never), source("osdu", never), unset, query=" — ")
    assert (result["success"], result["results"], result["query"]) == (True, [], " — ")
    assert [(outcome["success"], outcome["count"]) for outcome in result["sources"]] == [(True, 0)] * 2


async def test_a_blank_query_still_says_what_is_not_configured() -> None:
    unset = fails("osdu", NOT_CONFIGURED, is_configured=False)
    result = await answered(finds("archive"), unset, query="", sources=["archive", "osdu"])
    assert [outcome["success"] for outcome in result["sources"]] == [True, False]


async def test_a_query_that_breaks_the_rules_is_refused_before_anybody_is_asked() -> None:
    async def never(_: Question) -> Answer:
        raise AssertionError

    error = await failure(source("archive", never), query="x" * 2_001)
    assert isinstance(error, Invalid)


async def test_nothing_found_is_a_success() -> None:
    result = await answered(finds("archive"), fails("osdu", Unavailable("Down", action="Wait")))
    assert (result["success"], result["results"]) == (True, [])


async def test_where_all_fail_in_different_ways_the_search_is_unavailable() -> None:
    error = await failure(
        fails("archive", TimedOut("Late", action="Ask for less")), fails("osdu", Unavailable("Down", action="Wait"))
    )
    assert error.category == "unavailable"
    assert error.message == "None of the sources answered"
    assert [outcome["error"] for outcome in error.details["sources"]] == ["Late", "Down"]


async def test_where_all_fail_in_one_way_that_is_the_failure() -> None:
    error = await failure(
        fails("archive", TimedOut("Late", action="Ask for less")), fails("osdu", TimedOut("Slow", action="Wait"))
    )
    assert (error.category, error.action) == ("timeout", "Ask for less")
    assert error.message == "None of the sources answered: Late"


async def test_the_failure_of_the_only_source_asked_is_passed_on_whole() -> None:
    error = await failure(finds("archive"), fails("osdu", NOT_CONFIGURED, is_configured=False), sources=["osdu"])
    assert (error.category, error.message) == ("not_configured", "OSDU is not configured")
    assert error.details["missing"] == ["URL"]
    assert error.details["sources"][0]["source"] == "osdu"
    assert "sources" not in NOT_CONFIGURED.details


async def test_limits_say_when_the_last_of_them_ends() -> None:
    error = await failure(
        fails("osdu", RateLimited("Busy", retry_after=3)), fails("quilt", RateLimited("Busy", retry_after=20))
    )
    assert (error.category, error.details["retry_after_s"]) == ("rate_limit", 20)


async def test_sources_are_asked_for_as_many_as_are_wanted_and_not_for_less_than_ten() -> None:
    asked: list[int] = []

    async def notes(question: Question) -> Answer:
        asked.append(question.depth)
        return Answer()

    for limit in (1, 10, 40):
        await answered(source("archive", notes), limit=limit)
    assert asked == [10, 10, 40]


async def test_results_are_shortened_then_dropped_to_fit() -> None:
    many = [finding(f"id{number}", snippet="<mark>reef</mark> " * 20) for number in range(40)]
    whole = await answered(finds("archive", *many), limit=40)
    assert not whole["truncated"]
    short = await answered(finds("archive", *many), limit=40, max_chars=3_000)
    assert short["truncated"]
    assert len(json.dumps(short["results"])) <= 3_000
    assert [hit["rank"] for hit in short["results"]] == list(range(1, len(short["results"]) + 1))
    for hit in short["results"]:
        assert hit["snippet"].count("<mark>") == hit["snippet"].count("</mark>")


async def test_ids_have_no_snippets_and_brief_has_short_ones() -> None:
    archive = finds("archive", finding("a", snippet=f"{'far ' * 60}<mark>reef</mark> {'away ' * 60}"))
    ids = await answered(archive, detail="ids")
    assert [(hit["id"], hit["title"], hit["snippet"]) for hit in ids["results"]] == [("a", "About a", "")]
    assert ids["truncated"]
    brief = await answered(archive, detail="brief")
    [hit] = brief["results"]
    assert "<mark>reef</mark>" in hit["snippet"]
    assert len(hit["snippet"]) < 110
    assert brief["truncated"]
    assert not (await answered(archive, detail="full"))["truncated"]
