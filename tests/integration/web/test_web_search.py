"""What a search of the web sends, and what its answers become; against a strict server over real HTTP."""

from datetime import UTC, datetime
from typing import Any

import pytest
from mcp import Client

from tests.upstreams.openai import KEY, Answer, OpenAiServer
from tests.upstreams.openai_caller import Asker, Caller, asking, settings
from tests.upstreams.openai_fixtures import RESPONSES
from tests.upstreams.openai_texts import PLAIN_ANSWER, SEED_TEXT

QUERY = "are the reefs of Belize well"
BELIZE = {
    "url": "https://belizereef.example/?id=7",
    "title": "Reef",
    "textSnippet": "([belizereef.example](https://belizereef.example/?id=7))",
    "startIndex": PLAIN_ANSWER.index("([belize"),
    "endIndex": PLAIN_ANSWER.index(" Divers"),
    "rank": 1,
}
CORAL = {
    "url": "https://coralwatch.example/2025",
    "title": "Coral Watch",
    "textSnippet": "([coralwatch.example](https://coralwatch.example/2025))",
    "startIndex": PLAIN_ANSWER.index("([coral"),
    "endIndex": len(PLAIN_ANSWER),
    "rank": 2,
}


def assert_sound(result: dict[str, Any]) -> None:
    """Check what must hold for every answer."""
    assert result["success"] is True, result
    for rank, citation in enumerate(result["citations"], start=1):
        assert citation["rank"] == rank
        assert set(citation) == {"url", "title", "textSnippet", "startIndex", "endIndex", "rank"}
        assert result["text"][citation["startIndex"] : citation["endIndex"]] == citation["textSnippet"]


def urls(result: dict[str, Any]) -> list[str]:
    return [citation["url"] for citation in result["citations"]]


async def test_an_answer_comes_with_its_citations(call: Caller, openai: OpenAiServer) -> None:
    before = datetime.now(UTC).replace(microsecond=0)
    result = await call(QUERY)
    assert_sound(result)
    responded = datetime.fromisoformat(result.pop("respondedAt"))
    assert before <= responded <= datetime.now(UTC)
    assert result == {
        "success": True,
        "text": PLAIN_ANSWER,
        "citations": [BELIZE, CORAL],
        "provider": "gpt-5-nano-web-search",
        "usage": {"promptTokens": 8_412, "responseTokens": 912},
        "cached": False,
    }
    assert len(openai.requests) == 1
    for told in (PLAIN_ANSWER, BELIZE["url"], CORAL["url"]):
        assert str(told) in call.texts[0]


async def test_the_request_is_one_that_a_reasoning_model_takes(call: Caller, openai: OpenAiServer) -> None:
    await call(f"  {QUERY} ")
    (request,) = openai.requests
    assert request.headers["authorization"] == f"Bearer {KEY}"
    body = request.body
    assert body["model"] == "gpt-5-nano"
    assert [tool["type"] for tool in body["tools"]] == ["web_search"]
    assert body["max_output_tokens"] == 4_000
    assert body["reasoning"] == {"effort": "low"}
    assert "temperature" not in body
    assert body["store"] is False, "the provider need not keep questions"
    assert QUERY in request.text
    assert f"  {QUERY}" not in request.text
    assert "user_location" not in body["tools"][0]


async def test_models_that_do_not_reason_get_a_temperature_instead(openai: OpenAiServer) -> None:
    async with asking(settings(openai.url, model="gpt-4.1-mini", max_output_tokens=600)) as ask:
        result = await ask(QUERY)
    assert result["provider"] == "gpt-4.1-mini-web-search"
    (body,) = openai.bodies
    assert (body["temperature"], body["max_output_tokens"]) == (0, 600)
    assert "reasoning" not in body


@pytest.mark.parametrize("code", [None, "unsupported_parameter", "unsupported_value"])
async def test_a_model_that_refuses_a_temperature_is_asked_without_it_from_then_on(
    openai: OpenAiServer, code: str | None
) -> None:
    refused = {"message": "no", "type": "invalid_request_error", "param": "temperature", "code": code}
    openai.then(Answer(status=400, body={"error": refused}))
    async with asking(settings(openai.url, model="gpt-4.1-mini")) as ask:
        assert (await ask(QUERY))["success"]
        assert (await ask("another question"))["success"]
    assert ["temperature" in body for body in openai.bodies] == [True, False, False]


async def test_the_example_of_the_seed_gives_its_citation(call: Caller, openai: OpenAiServer) -> None:
    openai.then("seed_whole")
    result = await call(QUERY)
    assert_sound(result)
    assert result["text"] == SEED_TEXT.replace("?utm_source=openai", "")
    assert result["citations"] == [
        {
            "url": "https://news.example/good",
            "title": "Title...",
            "textSnippet": SEED_TEXT[2606:2758].replace("?utm_source=openai", ""),
            "startIndex": 2606,
            "endIndex": 2758 - len("?utm_source=openai"),
            "rank": 1,
        }
    ]


@pytest.mark.parametrize("bare", [False, True], ids=["inside output", "the array alone"])
async def test_the_example_of_the_seed_is_read_as_it_stands_there(ask: Asker, openai: OpenAiServer, bare: bool) -> None:
    """Its text is cut short, so that the citation points behind its end."""
    openai.then(Answer(body=RESPONSES["seed"]["output"]) if bare else Answer("seed"))
    result = await ask(QUERY)
    assert_sound(result)
    assert result["text"] == "On March 6, 2025, several news..."
    (citation,) = result["citations"]
    assert (citation["url"], citation["title"], citation["textSnippet"]) == ("https://...", "Title...", "")


@pytest.mark.parametrize("fixture", ["without_reasoning", "reasoning_between", "other_annotations"])
async def test_what_stands_around_the_message_changes_nothing(ask: Asker, openai: OpenAiServer, fixture: str) -> None:
    openai.then(fixture)
    result = await ask(QUERY)
    assert_sound(result)
    assert result["text"] == PLAIN_ANSWER
    assert result["citations"] == [BELIZE, CORAL]


@pytest.mark.parametrize("fixture", ["pages_opened", "only_a_page_opened"])
async def test_opened_pages_are_no_hindrance(ask: Asker, openai: OpenAiServer, fixture: str) -> None:
    openai.then(fixture)
    result = await ask(QUERY)
    assert_sound(result)
    assert result["citations"] == [BELIZE]


async def test_indices_of_later_messages_are_those_of_the_whole_text(ask: Asker, openai: OpenAiServer) -> None:
    openai.then("several_messages", "several_texts")
    messages, texts = await ask(QUERY), await ask("another question")
    for result in (messages, texts):
        assert_sound(result)
    assert "I looked at the reefs." in messages["text"]
    assert PLAIN_ANSWER in messages["text"]
    assert [each["textSnippet"] for each in messages["citations"]] == [BELIZE["textSnippet"], CORAL["textSnippet"]]
    markers = ["([a.example](https://a.example/))", "([b.example](https://b.example/))"]
    assert [each["textSnippet"] for each in texts["citations"]] == markers


async def test_indices_count_code_points(ask: Asker, openai: OpenAiServer) -> None:
    openai.then("astral")
    result = await ask(QUERY)
    assert_sound(result)
    markers = ["([seadragon.example](https://seadragon.example/))", "([atlas.example](https://atlas.example/))"]
    assert [each["textSnippet"] for each in result["citations"]] == markers
    assert "\U0001f991" in result["text"]


async def test_hidden_characters_are_removed_and_indices_follow(call: Caller, openai: OpenAiServer) -> None:
    openai.then("hidden_characters")
    result = await call(QUERY)
    assert_sound(result)
    assert result["text"] == "Reefs grow. ([a.example](https://a.example/))"
    (citation,) = result["citations"]
    assert (citation["textSnippet"], citation["title"]) == ("([a.example](https://a.example/))", "Reef")
    assert not {"\u200b", "\u202e", "\u2066"} & set(call.texts[0])


@pytest.mark.parametrize("answers", [True, False])
@pytest.mark.parametrize("fixture", ["overlapping", "odd_indices", "many", "uncited", "cut_short", "several_texts"])
async def test_odd_citations_still_point_into_the_text(
    ask: Asker, openai: OpenAiServer, fixture: str, answers: bool
) -> None:
    openai.then(fixture)
    result = await ask(QUERY, maxResults=8, includeAnswers=answers)
    assert_sound(result)
    length = len(result["text"])
    for citation in result["citations"]:
        assert 0 <= citation["startIndex"] <= citation["endIndex"] <= length


async def test_no_source_is_lost_for_odd_indices(ask: Asker, openai: OpenAiServer) -> None:
    openai.then("odd_indices", "overlapping")
    odd = await ask(QUERY, maxResults=8)
    assert urls(odd) == [f"https://{name}.example" for name in ("beyond", "far", "inverted", "negative", "empty")]
    overlapping = await ask("another question", maxResults=8)
    assert dict.fromkeys(urls(overlapping)) == dict.fromkeys(f"https://{name}.example" for name in "abc")


@pytest.mark.parametrize("count", [1, 3, 8])
async def test_there_are_no_more_citations_than_asked_for(ask: Asker, openai: OpenAiServer, count: int) -> None:
    openai.then("many")
    result = await ask(QUERY, maxResults=count)
    assert_sound(result)
    assert len(result["citations"]) == count


async def test_a_text_that_was_cut_short_says_so(ask: Asker, openai: OpenAiServer) -> None:
    openai.then("cut_short")
    result = await ask(QUERY)
    assert (result["success"], result["incomplete"]) == (True, "max_output_tokens")


async def test_usage_is_left_out_where_nobody_told_it(ask: Asker, openai: OpenAiServer) -> None:
    openai.then("without_usage")
    result = await ask(QUERY)
    assert_sound(result)
    assert "usage" not in result


async def test_the_tool_says_what_it_is(call: Caller) -> None:
    async with Client(call.server) as client:
        (tool,) = (await client.list_tools()).tools
    assert tool.name == "search_web"
    assert tool.annotations is not None
    assert (tool.annotations.read_only_hint, tool.annotations.open_world_hint) == (True, True)
    assert set(tool.input_schema["properties"]) == {
        "query",
        "queries",
        "publishedAfter",
        "publishedBefore",
        "type",
        "maxResults",
        "freshnessHours",
        "region",
        "includeAnswers",
    }
