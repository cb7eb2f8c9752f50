"""Settings of web search, and the question that is made of them."""

import os
import subprocess
import sys
from datetime import UTC, datetime
from typing import Any

import pytest
from pydantic import ValidationError

from app.settings_table import MASK, with_defaults, with_values
from indexer.environment import read_settings
from indexer.errors import NotConfigured
from mcp_server.features.web.arguments import SearchWeb
from mcp_server.features.web.provider.request import request_body
from mcp_server.features.web.settings import ACADEMIC, FEEDS, WebSettings

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


@pytest.fixture(autouse=True)
def _machine_without_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if name.startswith(("OPENAI_", "TRAWL_WEB_")):
            monkeypatch.delenv(name)


def given(**values: Any) -> WebSettings:
    return WebSettings(_env_file=None, **values)


def body(settings: WebSettings | None = None, domains: tuple[str, ...] = (), **arguments: Any) -> dict[str, Any]:
    return request_body(SearchWeb(query="coral reefs", **arguments), settings or given(), domains, NOW)


def test_settings_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", " sk-hush\n")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1/")
    monkeypatch.setenv("TRAWL_WEB_MODEL", "gpt-4.1-mini")
    monkeypatch.setenv("TRAWL_WEB_GUARD_MARKET", "tide, spring tide ,")
    monkeypatch.setenv("TRAWL_WEB_GUARD_FEEDS", "")
    settings = given()
    assert settings.api_key is not None
    assert settings.api_key.get_secret_value() == "sk-hush"
    assert (settings.base_url, settings.model) == ("http://127.0.0.1:9/v1", "gpt-4.1-mini")
    assert settings.guard_market == ("tide", "spring tide")
    assert settings.guard_feeds == FEEDS
    assert settings.missing == []
    assert "sk-hush" not in repr(settings)
    monkeypatch.setenv("TRAWL_WEB_GUARD_FEEDS", "None")
    assert given().guard_feeds == ()


def test_without_a_key_it_is_named() -> None:
    assert given().missing == WebSettings.model_construct().missing == ["OPENAI_API_KEY"]
    assert given(api_key="  ").missing == ["OPENAI_API_KEY"]


@pytest.mark.parametrize(
    "wrong",
    [
        {"base_url": "openai"},
        {"api_key": "sk hush"},
        {"api_key": "sk-é"},
        {"model": "a b"},
        {"blocked_domains": "https://a.org"},
        {"allowed_domains": ",".join(f"{number}.org" for number in range(101))},
        {"news_domains": ",".join(f"{number}.org" for number in range(101))},
        {"calls_per_minute_total": 0},
    ],
)
def test_wrong_settings_are_refused_without_their_value(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValidationError) as error:
        given(**wrong)
    assert "input_value" not in str(error.value)
    assert "hush" not in str(error.value)


def test_a_wrong_setting_is_told_by_the_name_that_it_has(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "nowhere")
    monkeypatch.setenv("TRAWL_WEB_TIMEOUT", "soon")
    with pytest.raises(NotConfigured) as error:
        read_settings(WebSettings)
    assert "OPENAI_BASE_URL: " in error.value.message
    assert "TRAWL_WEB_TIMEOUT: " in error.value.message
    assert "TRAWL_WEB_OPENAI" not in error.value.message


def test_the_table_shows_names_as_they_are_set_and_masks_the_key() -> None:
    shown = {setting.name: setting.value for setting in with_values(given(api_key="sk-hush"))}
    assert shown["OPENAI_API_KEY"] == MASK
    assert shown["OPENAI_BASE_URL"] == "https://api.openai.com/v1"
    assert shown["TRAWL_WEB_GUARD_FEEDS"] == ",".join(FEEDS)
    assert {setting.name for setting in with_defaults(WebSettings)} == set(shown)


def test_the_policy_is_the_one_that_was_asked_for() -> None:
    policy = given().policy
    assert (policy.calls, policy.window, policy.attempts) == (20, 600, 2)
    assert (policy.deadline, policy.attempt_timeout, policy.cache_seconds) == (15, 15, 300)
    assert not policy.time_out_opens
    assert policy.total_calls is None
    assert (given(calls_per_minute_total=7).policy.total_calls, policy.total_window) == (7, 60)


def test_a_reasoning_model_is_asked_with_little_effort_and_no_temperature() -> None:
    sent = body()
    assert (sent["model"], sent["max_output_tokens"], sent["reasoning"]) == ("gpt-5-nano", 4000, {"effort": "low"})
    assert sent["tools"] == [{"type": "web_search", "search_context_size": "low"}]
    assert sent["input"] == "coral reefs"
    assert sent["store"] is False
    assert "temperature" not in sent
    assert "reasoning" in body(given(model="o4-mini"))


def test_another_model_is_asked_with_a_temperature_and_no_effort() -> None:
    sent = body(given(model="gpt-4.1-mini"))
    assert sent["temperature"] == 0
    assert "reasoning" not in sent


def test_what_the_caller_asks_for_is_in_the_question() -> None:
    sent = body(maxResults=3, freshnessHours=24, region="AE", includeAnswers=False)
    assert sent["input"] == "coral reefs (prefer results from last 24 hours)"
    assert sent["tools"][0]["user_location"] == {"type": "approximate", "country": "AE"}
    assert "at most 3 sources" in sent["instructions"]
    assert "2026-01-02 03:04 UTC" in sent["instructions"]
    assert "2026-01-01 03:04 UTC" in sent["instructions"]
    assert "Write no answer" in sent["instructions"]
    assert "Write no answer" not in body()["instructions"]


def test_all_wishes_for_time_stand_together() -> None:
    sent = body(freshnessHours=24, publishedAfter="2026-01-01", type="news")
    assert sent["input"] == "coral reefs (prefer results from last 24 hours, published on 2026-01-01 or later)"
    assert "Use only what was published on 2026-01-01 or later; leave out the rest." in sent["instructions"]
    assert "Search for news" in sent["instructions"]


def test_domains_are_sent() -> None:
    assert body(domains=("osdu.org", "a.b"))["tools"][0]["filters"] == {"allowed_domains": ["osdu.org", "a.b"]}
    assert "filters" not in body()["tools"][0]


def test_domains_are_lowered_and_a_preset_fits_the_provider() -> None:
    settings = given(allowed_domains="OSDU.org, a.b", academic_domains="None")
    assert (settings.allowed_domains, settings.academic_domains) == (("osdu.org", "a.b"), ())
    assert len(given().academic_domains) == len(set(ACADEMIC)) <= 100


def test_the_same_question_is_the_same_request() -> None:
    assert body(maxResults=2) == body(maxResults=2)


def test_the_sdk_is_not_imported_before_it_is_needed() -> None:
    code = "import sys, mcp_server.protocol.server, mcp_server.features.all; sys.exit('openai' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False, timeout=250).returncode == 0
