"""A question is nowhere to be found afterwards: not in logs, metrics, traces, Redis, files, nor in what is raised."""

import json
import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
import redis
from mcp import Client

from mcp_server.features.web import service as web_service
from tests.redis import RedisServer
from tests.service import run_service
from tests.upstreams.openai import KEY, Answer, OpenAiServer
from tests.upstreams.openai_caller import SECRET, asking, caller, settings
from tests.upstreams.openai_fixtures import at, message, reasoning, response, search
from tests.upstreams.openai_tracing import RecordingTracer

CANARY = "canary7f3a"
LONG = f"{CANARY} {'x' * 400}"
REJECTED = (f"polymarket {CANARY}", f"{CANARY} rss", LONG)
TOLD = response(
    reasoning(),
    search(
        1, type="search", query=CANARY, queries=[CANARY], sources=[{"type": "url", "url": f"https://{CANARY}.example"}]
    ),
    message(f"It is {CANARY}.", at(6, 16, f"https://{CANARY}.example/{CANARY}?q={CANARY}", CANARY)),
)
"""An answer that has it everywhere."""
ECHO = [
    Answer(status=status, body={"error": {"message": "", "code": CANARY}}, echo=True)
    for status in (400, 401, 403, 404, 429, 500, 502, 503)
]
BROKEN = [
    Answer(body={**TOLD, "status": "failed", "error": {"code": "server_error", "message": CANARY}}),
    Answer(body={**TOLD, "output": [TOLD["output"][2]]}),
    Answer(body=CANARY.encode()),
    Answer(hang_up=True),
]


def everything_in(url: str) -> str:
    """Return all that a Redis holds, as it is kept there."""
    readers: dict[bytes, Callable[[redis.Redis, bytes], Any]] = {
        b"string": lambda client, key: client.get(key),
        b"hash": lambda client, key: client.hgetall(key),
        b"list": lambda client, key: client.lrange(key, 0, -1),
        b"set": lambda client, key: client.smembers(key),
        b"zset": lambda client, key: client.zrange(key, 0, -1, withscores=True),
        b"stream": lambda client, key: client.xrange(key),
    }
    with redis.Redis.from_url(url) as client:
        kept = {key: readers[client.type(key)](client, key) for key in client.scan_iter()}
    assert any(b":answer:" in key for key in kept), "an answer must have been kept"
    return repr(kept)


def assert_unseen(*places: str) -> None:
    for place in places:
        assert place, "an empty place proves nothing"
        for secret in (CANARY, CANARY.upper(), KEY, SECRET.decode()):
            assert secret not in place


async def test_no_question_is_written_down_anywhere(
    openai: OpenAiServer,
    own_redis: Callable[..., RedisServer],
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    server, tracer = own_redis(), RecordingTracer()
    monkeypatch.setattr("mcp.shared._otel._tracer", tracer)
    given = settings(openai.url, calls_per_10_minutes=1_000, daily_calls=1_000)
    with caplog.at_level(logging.DEBUG):
        async with caller(given, server.url) as call:
            openai.then(Answer(body=TOLD))
            assert (await call(CANARY, region="US", freshnessHours=3))["citations"][0]["textSnippet"] == CANARY
            assert (await call(CANARY, region="US", freshnessHours=3))["cached"]
            for query in REJECTED:
                assert not (await call(query))["success"]
            await call.refused(query=CANARY, maxResults=CANARY)
            await call.refused(query=CANARY, unknown=CANARY)
            for number, answer in enumerate(ECHO + BROKEN):
                openai.always = answer
                assert CANARY not in json.dumps(await call(f"{CANARY} {number}"))
            monkeypatch.setattr(web_service, "extract_answer", crash)
            openai.always = Answer(body=TOLD)
            told = await call.refused(query=f"{CANARY} crash")
            counted = repr([vars(call.service.telemetry), call.service])
        kept = everything_in(server.url)
    assert "web call" in caplog.text
    assert "search_web" in " ".join(tracer.kept)
    assert_unseen(caplog.text, counted, kept, " ".join(tracer.kept), told)
    for record in caplog.records:
        assert CANARY not in repr(vars(record)), record.name


def crash(_: Any) -> Any:
    raise RuntimeError(f"no idea what to do with {CANARY}")


async def test_a_question_that_timed_out_is_written_down_nowhere(
    openai: OpenAiServer, own_redis: Callable[..., RedisServer], caplog: pytest.LogCaptureFixture
) -> None:
    server = own_redis()
    with caplog.at_level(logging.DEBUG):
        async with asking(settings(openai.url), server.url) as ask:
            await ask(f"{CANARY} first")
        openai.always = Answer(hang=True)
        async with asking(settings(openai.url, timeout=0.3), server.url) as ask:
            result = await ask(f"{CANARY} and nobody answers")
    assert result["error_category"] == "timeout"
    assert_unseen(caplog.text, everything_in(server.url), json.dumps(result))


async def test_equal_questions_have_equal_hashes_and_others_have_not(
    openai: OpenAiServer, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO, logger="mcp_server.upstream.telemetry"):
        async with (
            asking(settings(openai.url, cache_seconds=0)) as ask,
            asking(settings(openai.url, cache_seconds=0), key=b"another") as elsewhere,
        ):
            for query in ("are reefs well", "are reefs well", "are whales well"):
                await ask(query)
            await elsewhere("are reefs well")
    lines = [record.getMessage() for record in caplog.records if "web call" in record.getMessage()]
    assert lines[0] == lines[1]
    assert len(set(lines)) == 3


async def test_the_log_tells_time_status_and_count_but_no_more(
    openai: OpenAiServer, caplog: pytest.LogCaptureFixture
) -> None:
    openai.then("plain", Answer(status=400, body={"error": {"message": CANARY}}))
    with caplog.at_level(logging.INFO, logger="mcp_server.upstream.telemetry"):
        async with asking(settings(openai.url)) as ask:
            await ask("are reefs well")
            await ask("are whales well")
    good, bad = (vars(record) for record in caplog.records if "web call" in record.getMessage())
    assert good["count"] == 2
    assert bad["status"] == 400
    assert {type(each["duration_ms"]) for each in (good, bad)} == {int}


async def test_nothing_that_the_sdk_says_reaches_the_log(
    openai: OpenAiServer, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG):
        async with asking(settings(openai.url)) as ask:
            await ask("are reefs well")
        for name in ("openai._base_client", "httpx2", "httpcore2.connection"):
            logging.getLogger(name).error("a request with %s", CANARY)
    assert "openai._base_client" in caplog.text, "that it said something may be known"
    assert CANARY not in caplog.text


async def test_a_running_service_writes_no_question_down(
    openai: OpenAiServer, own_redis: Callable[..., RedisServer], tmp_path: Path
) -> None:
    """The whole service in its own process, with the SDK told to log everything."""
    server = own_redis()
    environment = {
        "OPENAI_API_KEY": KEY,
        "OPENAI_BASE_URL": openai.url,
        "OPENAI_LOG": "debug",
        "TRAWL_WEB_TIMEOUT": "60",
        "TRAWL_REDIS_URL": server.url,
        "TRAWL_SECRET_KEY": SECRET.decode() * 4,
    }
    openai.then(Answer(body=TOLD), Answer(body=TOLD), *ECHO[:2], Answer(hang_up=True))
    with run_service(tmp_path, env=environment) as service:
        async with httpx.AsyncClient(base_url=service.url, trust_env=False, timeout=60) as client:
            address = "/api/v1/web/search"
            first = await client.post(address, json={"query": CANARY})
            assert CANARY in first.json()["text"]
            async with Client(f"{service.url}/mcp") as mcp:
                called = await mcp.call_tool("search_web", {"query": f"{CANARY} mcp"})
                assert called.structured_content is not None
                assert called.structured_content["success"]
            codes = [(await client.post(address, json={"query": f"{CANARY} {n}"})).json()["code"] for n in range(3)]
            assert codes == ["PROVIDER", "AUTH", "PROVIDER"]
            assert (await client.post(address, json={"query": REJECTED[0]})).status_code == 422
            assert (await client.post(address, json={"query": CANARY, "region": [CANARY]})).status_code == 422
            seen = [(await client.get(path)).text for path in ("/metrics", "/api/v1/status", "/readyz")]
    assert_unseen(service.log.read_text(encoding="utf-8"), everything_in(server.url), *seen)
    assert_unwritten(tmp_path)


def assert_unwritten(folder: Path) -> None:
    """Look into all files of a service, its log among them."""
    files = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    assert any(b"web call" in content for content in files.values())
    for path, content in files.items():
        assert CANARY.encode() not in content, path
