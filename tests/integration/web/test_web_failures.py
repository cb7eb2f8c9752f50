"""What callers are told when the provider refuses, is busy, breaks or says nothing, and what is tried again."""

import json
import logging
from dataclasses import replace
from typing import Any

import pytest

from tests.upstreams.openai import Answer, OpenAiServer, error
from tests.upstreams.openai_caller import Asker, Caller, asking, caller, settings

QUERY = "are reefs well"
AUTH = ("AUTH", "Authentication failed", {"authentication"})
LIMIT = ("RATE_LIMIT", "Rate limit exceeded", {"rate_limit"})
BROKEN = ("PROVIDER", "Provider error", {"provider", "unavailable"})
REFUSED = ("PROVIDER", "Provider error", {"provider"})
PARSE = ("PARSE", "Invalid response format", {"parse"})
SILENT = ("PROVIDER", "Provider error", {"timeout"})
GONE = ("PROVIDER", "Provider error", {"provider", "unavailable"})
Expected = tuple[str, str, set[str]]

TABLE: list[tuple[Answer, Expected, int]] = [
    (error(401, "invalid_api_key", kind="invalid_request_error"), AUTH, 1),
    (error(403, "unsupported_country_region_territory", kind="request_forbidden"), AUTH, 1),
    (error(429, "rate_limit_exceeded", kind="tokens"), LIMIT, 2),
    (error(429, "insufficient_quota", kind="insufficient_quota"), LIMIT, 1),
    (error(500), BROKEN, 2),
    (Answer(status=502, body=b"<html>bad gateway</html>"), BROKEN, 2),
    (error(503, "overloaded", kind="service_unavailable_error"), BROKEN, 2),
    (Answer(status=503, body=b""), BROKEN, 2),
    (Answer(status=504, body=b"<html>gateway time-out</html>"), BROKEN, 1),
    (error(501), BROKEN, 1),
    (error(400, "context_length_exceeded", kind="invalid_request_error"), REFUSED, 1),
    (error(400, "model_not_found", kind="invalid_request_error"), REFUSED, 1),
    (error(404, kind="invalid_request_error"), REFUSED, 1),
    (error(409, kind="invalid_request_error"), REFUSED, 1),
    (error(413, kind="invalid_request_error"), REFUSED, 1),
    (error(422, kind="invalid_request_error"), REFUSED, 1),
    (Answer(status=302, body=b"", headers={"location": "/v1/elsewhere"}), REFUSED, 1),
]


def assert_failure(result: dict[str, Any], expected: Expected) -> None:
    code, message, categories = expected
    assert result["success"] is False
    assert (result["code"], result["error"]) == (code, message)
    assert result["error_category"] in categories
    assert result["fix"]["required_action"]
    assert isinstance(result["alternatives"], dict)
    if code == "RATE_LIMIT":
        assert result["details"]["retry_after_s"] >= 1


@pytest.mark.parametrize(
    ("answer", "expected", "requests"), TABLE, ids=[f"{row[0].status}-{number}" for number, row in enumerate(TABLE)]
)
async def test_each_error_has_its_code_message_and_number_of_requests(
    call: Caller, openai: OpenAiServer, answer: Answer, expected: Expected, requests: int
) -> None:
    openai.always = answer
    result = await call(QUERY)
    assert_failure(result, expected)
    assert len(openai.requests) == requests
    assert expected[1] in call.texts[0]


@pytest.mark.parametrize("status", [429, 500, 502, 503])
async def test_a_passing_failure_is_tried_once_more(ask: Asker, openai: OpenAiServer, status: int) -> None:
    openai.then(error(status))
    result = await ask(QUERY)
    assert result["success"], result
    assert len(openai.requests) == 2
    assert openai.bodies[0] == openai.bodies[1]


@pytest.mark.parametrize("status", [429, 500, 502, 503])
async def test_there_are_two_requests_at_most(ask: Asker, openai: OpenAiServer, status: int) -> None:
    openai.then(error(status), error(500), "plain")
    assert_failure(await ask(QUERY), BROKEN)
    assert len(openai.requests) == 2


async def test_the_last_failure_is_the_one_that_is_told(ask: Asker, openai: OpenAiServer) -> None:
    openai.then(error(503), error(401, "invalid_api_key"))
    assert_failure(await ask(QUERY), AUTH)


async def test_a_wrong_key_names_the_setting_and_not_the_key(openai: OpenAiServer) -> None:
    async with caller(settings(openai.url, api_key="sk-wrong-canary")) as call:
        result = await call(QUERY)
    assert_failure(result, AUTH)
    assert "OPENAI_API_KEY" in result["fix"]["required_action"]
    assert "canary" not in json.dumps(result) + call.texts[0]
    assert len(openai.requests) == 1


@pytest.mark.parametrize(
    "answer",
    [
        *(row[0] for row in TABLE if row[0].status != 302),
        Answer("text_alone"),
        Answer("failed"),
        Answer(body=b"<html>"),
    ],
    ids=lambda answer: f"{answer.status}-{answer.fixture}",
)
async def test_the_provider_s_own_id_of_the_request_is_told(
    ask: Asker, openai: OpenAiServer, answer: Answer, caplog: pytest.LogCaptureFixture
) -> None:
    openai.always = replace(answer, headers={**answer.headers, "x-request-id": "req_7"})
    with caplog.at_level(logging.INFO, logger="mcp_server.upstream.telemetry"):
        result = await ask(QUERY)
    assert result["details"]["provider_request_id"] == "req_7"
    (record,) = [record for record in caplog.records if "web call" in record.getMessage()]
    assert vars(record)["provider_request_id"] == "req_7"


@pytest.mark.parametrize(
    ("given", "told"), [("r" * 300, "r" * 200), ("req\t\u00e9_7", "req_7"), (" ", None), ("\u00e9", None)]
)
async def test_that_id_is_told_in_plain_characters(
    ask: Asker, openai: OpenAiServer, given: str, told: str | None
) -> None:
    openai.always = error(401, x_request_id=given)
    assert (await ask(QUERY))["details"].get("provider_request_id") == told


async def test_where_the_provider_gave_no_id_there_is_none(openai: OpenAiServer) -> None:
    openai.always = Answer(hang_up=True)
    async with asking(settings(openai.url, calls_per_10_minutes=1)) as ask:
        for result in (await ask(QUERY), await ask(QUERY)):
            assert "provider_request_id" not in result["details"]


@pytest.mark.parametrize("headers", [{"retry_after": "0"}, {"retry_after_ms": "5"}, {"retry_after": "0.01"}])
async def test_the_time_that_the_provider_asks_for_is_kept(
    ask: Asker, openai: OpenAiServer, headers: dict[str, str]
) -> None:
    openai.then(error(429, **headers))
    assert (await ask(QUERY))["success"]
    assert len(openai.requests) == 2


@pytest.mark.parametrize(("headers", "seconds"), [({"retry_after": "120"}, 120), ({"retry_after_ms": "90000"}, 90)])
async def test_a_wait_beyond_the_time_there_is_is_left_to_the_caller(
    ask: Asker, openai: OpenAiServer, headers: dict[str, str], seconds: int
) -> None:
    openai.always = error(429, **headers)
    result = await ask(QUERY)
    assert_failure(result, LIMIT)
    assert result["details"]["retry_after_s"] == seconds
    assert len(openai.requests) == 1


@pytest.mark.parametrize("status", [429, 500, 503])
async def test_a_provider_that_says_not_to_try_again_is_obeyed(ask: Asker, openai: OpenAiServer, status: int) -> None:
    openai.always = error(status, x_should_retry="false")
    await ask(QUERY)
    assert len(openai.requests) == 1


async def test_a_provider_that_says_to_repeat_a_refusal_is_not_obeyed(ask: Asker, openai: OpenAiServer) -> None:
    openai.always = error(400, x_should_retry="true")
    assert_failure(await ask(QUERY), REFUSED)
    assert len(openai.requests) == 1


@pytest.mark.parametrize("answer", [Answer(hang=True), Answer(stall=True)], ids=["silent", "half an answer"])
async def test_a_time_out_is_not_tried_again(openai: OpenAiServer, answer: Answer) -> None:
    openai.always = answer
    async with caller(settings(openai.url, timeout=0.3)) as call:
        result = await call(QUERY)
    assert_failure(result, SILENT)
    assert len(openai.requests) <= 1


async def test_a_second_try_has_only_the_time_that_is_left(openai: OpenAiServer) -> None:
    openai.then(error(503), Answer(hang=True))
    async with asking(settings(openai.url, timeout=0.3)) as ask:
        result = await ask(QUERY)
    assert (result["code"], result["success"]) == ("PROVIDER", False)
    assert len(openai.requests) <= 2


async def test_a_broken_connection_is_not_tried_again(ask: Asker, openai: OpenAiServer) -> None:
    openai.always = Answer(hang_up=True)
    assert_failure(await ask(QUERY), GONE)
    assert len(openai.requests) == 1


async def test_a_provider_that_is_not_there_is_a_failure() -> None:
    async with asking(settings("http://127.0.0.1:1/v1")) as ask:
        assert_failure(await ask(QUERY), GONE)


@pytest.mark.parametrize(
    "body",
    [b"<html>", b"", b"{", b"[1]", b"null", b"5", b'"text"', b"{}", b'{"output": 5}', b'{"output": [5]}', b"\xff"],
)
async def test_an_answer_that_cannot_be_read_is_a_parse_failure(ask: Asker, openai: OpenAiServer, body: bytes) -> None:
    openai.always = Answer(body=body)
    assert_failure(await ask(QUERY), PARSE)
    assert len(openai.requests) == 1


@pytest.mark.parametrize(
    "fixture",
    ["text_alone", "search_alone", "failed_search", "empty", "blank_text", "refusal", "out_of_tokens", "filtered"],
)
async def test_an_answer_without_a_searched_text_is_a_parse_failure(
    call: Caller, openai: OpenAiServer, fixture: str
) -> None:
    openai.always = Answer(fixture)
    assert_failure(await call(QUERY), PARSE)
    assert len(openai.requests) == 1


async def test_an_answer_that_ran_out_of_tokens_names_the_setting(ask: Asker, openai: OpenAiServer) -> None:
    openai.always = Answer("out_of_tokens")
    result = await ask(QUERY)
    assert "max_output_tokens" in json.dumps(result).lower()
    assert "TRAWL_WEB_MAX_OUTPUT_TOKENS" in result["fix"]["required_action"]


async def test_an_answer_that_failed_on_their_side_is_told_as_such(ask: Asker, openai: OpenAiServer) -> None:
    openai.then("failed", "failed_for_limits")
    assert_failure(await ask(QUERY), BROKEN)
    assert_failure(await ask(QUERY), LIMIT)
    assert len(openai.requests) == 2


async def test_failures_do_not_repeat_what_the_provider_said(ask: Asker, openai: OpenAiServer) -> None:
    for status in (400, 401, 403, 404, 429, 500, 503):
        openai.always = Answer(status=status, body={"error": {"message": "secret words", "code": "odd-code"}})
        told = json.dumps(await ask(f"{QUERY} {status}"))
        assert "secret words" not in told
        assert QUERY not in told
