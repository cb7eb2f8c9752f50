"""The server of these tests is as strict as the real endpoint, and its answers have the real shapes."""

from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
from openai import AsyncOpenAI, AuthenticationError, BadRequestError, RateLimitError
from openai.types.responses import Response

from tests.upstreams.openai import KEY, Answer, OpenAiServer, error
from tests.upstreams.openai_fixtures import ODD, RESPONSES
from tests.upstreams.openai_texts import PLAIN_TEXT

GOOD: dict[str, Any] = {
    "model": "gpt-5-nano",
    "input": "Are reefs well?",
    "instructions": "Search the web.",
    "max_output_tokens": 4_000,
    "reasoning": {"effort": "low"},
    "include": ["web_search_call.action.sources"],
    "tool_choice": {"type": "web_search"},
    "tools": [
        {
            "type": "web_search",
            "search_context_size": "low",
            "filters": {"allowed_domains": ["osdu.org"]},
            "user_location": {"type": "approximate", "country": "US"},
        }
    ],
    "store": False,
}


def tool(**changes: Any) -> dict[str, Any]:
    return {"tools": [{"type": "web_search", **changes}], "tool_choice": "auto"}


@pytest.fixture
async def client(openai: OpenAiServer) -> AsyncIterator[httpx.AsyncClient]:
    headers = {"authorization": f"Bearer {KEY}"}
    async with httpx.AsyncClient(base_url=openai.url, headers=headers, trust_env=False, verify=False) as made:
        yield made


async def refusal(client: httpx.AsyncClient, changes: dict[str, Any]) -> dict[str, Any]:
    reply = await client.post("/responses", json={**GOOD, **changes})
    assert reply.status_code == 400
    assert reply.headers["x-request-id"].startswith("req_")
    told: dict[str, Any] = reply.json()["error"]
    assert set(told) == {"message", "type", "param", "code"}
    assert told["type"] == "invalid_request_error"
    return told


@pytest.mark.parametrize(
    ("changes", "param", "code"),
    [
        ({"maxResults": 5}, "maxResults", "unknown_parameter"),
        ({"max_tokens": 600}, "max_tokens", "unknown_parameter"),
        ({"temperature": 0}, "temperature", None),
        ({"model": "o4-mini", "temperature": 0}, "temperature", "unsupported_parameter"),
        ({"top_p": 0.5}, "top_p", None),
        ({"model": "gpt-4.1-mini"}, "reasoning.effort", "unsupported_parameter"),
        ({"model": "claude"}, "model", "model_not_found"),
        ({"model": None}, "model", "invalid_type"),
        ({"input": 5}, "input", "invalid_type"),
        ({"input": [{"role": "robot", "content": "x"}]}, "input[0].role", "invalid_value"),
        ({"input": [{"role": "user", "content": [{"type": "text"}]}]}, "input[0].content[0].type", "invalid_value"),
        ({"store": "no"}, "store", "invalid_type"),
        ({"max_output_tokens": True}, "max_output_tokens", "invalid_type"),
        ({"max_output_tokens": 15}, "max_output_tokens", "integer_below_min_value"),
        ({"include": ["web_search_call.sources"]}, "include[0]", "invalid_value"),
        ({"reasoning": {"effort": "minimal"}}, "tools", None),
        ({"reasoning": {"effort": "tiny"}}, "reasoning.effort", "invalid_value"),
        ({"reasoning": {"strength": "low"}}, "reasoning.strength", "unknown_parameter"),
        ({"tool_choice": {"type": "web_search_preview"}}, "tool_choice", None),
        ({"tool_choice": "web_search"}, "tool_choice", "invalid_value"),
        ({"tools": [{}]}, "tools[0].type", "missing_required_parameter"),
        ({"tools": ["web_search"]}, "tools[0]", "invalid_type"),
        ({"tools": {"type": "web_search"}}, "tools", "invalid_type"),
        (tool(type="websearch"), "tools[0].type", "invalid_value"),
        (tool(blocked_domains=["x.org"]), "tools[0].blocked_domains", "unknown_parameter"),
        (tool(search_context_size="tiny"), "tools[0].search_context_size", "invalid_value"),
        (tool(filters={}), "tools[0].filters.allowed_domains", "missing_required_parameter"),
        (tool(filters={"blocked_domains": []}), "tools[0].filters.blocked_domains", "unknown_parameter"),
        (tool(filters={"allowed_domains": "x.org"}), "tools[0].filters.allowed_domains", "invalid_type"),
        (
            tool(filters={"allowed_domains": ["x.org"] * 101}),
            "tools[0].filters.allowed_domains",
            "array_above_max_length",
        ),
        (tool(user_location={"country": "US"}), "tools[0].user_location.type", "missing_required_parameter"),
        (tool(user_location={"type": "exact"}), "tools[0].user_location.type", "invalid_value"),
        (
            tool(user_location={"type": "approximate", "country": "USA"}),
            "tools[0].user_location.country",
            "invalid_value",
        ),
        (tool(user_location={"type": "approximate", "zip": "1"}), "tools[0].user_location.zip", "unknown_parameter"),
    ],
    ids=str,
)
async def test_a_wrong_request_is_refused_with_its_parameter(
    client: httpx.AsyncClient, changes: dict[str, Any], param: str, code: str | None
) -> None:
    told = await refusal(client, changes)
    assert (told["param"], told["code"]) == (param, code)


async def test_messages_are_those_of_the_endpoint(client: httpx.AsyncClient) -> None:
    temperature = await refusal(client, {"temperature": 0})
    assert temperature["message"] == "Unsupported parameter: 'temperature' is not supported with this model."
    minimal = await refusal(client, {"reasoning": {"effort": "minimal"}})
    assert minimal["message"] == "The following tools cannot be used with reasoning.effort 'minimal': web_search."
    assert (await refusal(client, {"x": 1}))["message"] == "Unknown parameter: 'x'."


@pytest.mark.parametrize(
    "request_body",
    [
        GOOD,
        {"model": "gpt-5-nano", "input": "x", "tools": [{"type": "web_search"}]},
        {"model": "gpt-4.1-mini", "input": "x", "temperature": 0, "tools": [{"type": "web_search_preview"}]},
        {"model": "gpt-5", "input": "x", "reasoning": {"effort": "minimal"}},
        {"model": "o4-mini", "input": [{"role": "user", "content": [{"type": "input_text", "text": "x"}]}]},
    ],
    ids=lambda body: body["model"],
)
async def test_a_right_request_is_answered(
    client: httpx.AsyncClient, openai: OpenAiServer, request_body: dict[str, Any]
) -> None:
    reply = await client.post("/responses", json=request_body)
    assert reply.status_code == 200
    assert openai.bodies == [request_body]
    assert reply.json()["model"].startswith(request_body["model"])


async def test_what_is_missing_is_named(client: httpx.AsyncClient) -> None:
    for name in ("model", "input"):
        reply = await client.post("/responses", json={key: value for key, value in GOOD.items() if key != name})
        assert reply.json()["error"]["message"] == f"Missing required parameter: '{name}'."


@pytest.mark.parametrize(
    ("header", "code"),
    [("", None), ("Basic x", None), ("Bearer", None), ("Bearer sk-wrong", "invalid_api_key")],
)
async def test_a_wrong_key_is_refused(client: httpx.AsyncClient, header: str, code: str | None) -> None:
    reply = await client.post("/responses", json=GOOD, headers={"authorization": header})
    assert reply.status_code == 401
    assert reply.json()["error"]["code"] == code
    assert reply.headers["x-request-id"]


async def test_other_addresses_methods_and_bodies_are_refused(client: httpx.AsyncClient) -> None:
    assert (await client.post("/chat/completions", json=GOOD)).status_code == 404
    assert (await client.get("/responses")).status_code == 404
    typed = {"content-type": "application/json"}
    assert (await client.post("/responses", content=b"{", headers=typed)).status_code == 400
    assert (await client.post("/responses", content=b"[]", headers=typed)).status_code == 400
    assert (await client.post("/responses", content=b"{}", headers={"content-type": "text/plain"})).status_code == 400


async def test_answers_come_in_the_order_of_the_script(client: httpx.AsyncClient, openai: OpenAiServer) -> None:
    openai.then(error(503, retry_after="1"), "uncited", Answer(body=b"<html>"))
    first = await client.post("/responses", json=GOOD)
    assert (first.status_code, first.headers["retry-after"]) == (503, "1")
    assert "says anything" in (await client.post("/responses", json=GOOD)).text
    assert (await client.post("/responses", json=GOOD)).text == "<html>"
    assert "Belize" in (await client.post("/responses", json=GOOD)).text
    openai.then(Answer(hang_up=True))
    with pytest.raises(httpx.RemoteProtocolError):
        await client.post("/responses", json=GOOD)


async def test_errors_can_repeat_the_question(client: httpx.AsyncClient, openai: OpenAiServer) -> None:
    openai.then(Answer(status=500, body={"error": {"message": ""}}, echo=True))
    assert "Are reefs well?" in (await client.post("/responses", json=GOOD)).json()["error"]["message"]


async def test_sources_come_only_when_asked_for(client: httpx.AsyncClient) -> None:
    assert "sources" in (await client.post("/responses", json=GOOD)).text
    assert "sources" not in (await client.post("/responses", json={**GOOD, "include": []})).text


@pytest.mark.parametrize("name", sorted(RESPONSES))
def test_every_fixture_has_the_shape_that_the_sdk_knows(name: str) -> None:
    fixture = RESPONSES[name]
    if name in ODD:
        call = {**fixture["output"][0], "action": {"type": "search", "query": "x"}}
        fixture = {**fixture, "output": [call, *fixture["output"][1:]]}
    Response.model_validate(fixture, strict=True)


async def test_the_sdk_reads_answers_and_errors(openai: OpenAiServer) -> None:
    async with AsyncOpenAI(api_key=KEY, base_url=openai.url, max_retries=0) as sdk:
        answer = await sdk.responses.create(**GOOD)
        assert answer.output_text == PLAIN_TEXT
        with pytest.raises(BadRequestError) as refused:
            await sdk.responses.create(**GOOD, temperature=0)
        assert refused.value.param == "temperature"
        openai.then(error(429, "insufficient_quota", kind="insufficient_quota"))
        with pytest.raises(RateLimitError) as limited:
            await sdk.responses.create(**GOOD)
        assert limited.value.code == "insufficient_quota"
        assert limited.value.request_id
        openai.key = "another"
        with pytest.raises(AuthenticationError):
            await sdk.responses.create(**GOOD)
