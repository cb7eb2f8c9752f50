"""Settings of OSDU, and tokens by a clock of the test's own."""

import json
from typing import Any

import pytest
from pydantic import ValidationError

from mcp_server.features.osdu.api.credentials import ClientCredentials
from mcp_server.features.osdu.api.failures import ERROR_MESSAGES
from mcp_server.features.osdu.settings import OsduSettings
from mcp_server.upstream.guard.attempts import AttemptFailed
from mcp_server.upstream.transport import Reply, Transport


def given(**values: Any) -> OsduSettings:
    return OsduSettings(_env_file=None, **values)


def test_settings_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRAWL_OSDU_URL", "https://osdu.example.com/")
    monkeypatch.setenv("TRAWL_OSDU_PARTITION", "opendes")
    monkeypatch.setenv("TRAWL_OSDU_TOKEN", "hush-hush")
    settings = given()
    assert (settings.url, settings.partition, settings.missing) == ("https://osdu.example.com", "opendes", [])
    assert "hush-hush" not in repr(settings)


@pytest.mark.parametrize("wrong", [{"url": "osdu"}, {"token_url": "ftp://a"}, {"partition": "a\nb"}, {"timeout": 0}])
def test_wrong_settings_are_refused_without_their_value(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValidationError) as error:
        given(**wrong)
    assert "input_value" not in str(error.value)


def test_what_is_missing_is_named() -> None:
    assert given().missing == ["TRAWL_OSDU_URL", "TRAWL_OSDU_PARTITION", "TRAWL_OSDU_TOKEN"]
    half = given(url="http://a", partition="p", client_id="c")
    assert half.missing == ["TRAWL_OSDU_TOKEN_URL", "TRAWL_OSDU_CLIENT_SECRET"]


class Issuer(Transport):
    """Answers as told, and counts."""

    def __init__(self) -> None:
        super().__init__(ERROR_MESSAGES)
        self.asked = 0
        self.reply = self.token(100)

    def token(self, seconds: Any) -> Reply:
        return Reply(200, {}, json.dumps({"access_token": f"t{self.asked + 1}", "expires_in": seconds}).encode())

    async def post(self, url: str, body: bytes, headers: object) -> Reply:  # noqa: ARG002 - the signature is Transport's
        self.asked += 1
        return self.reply


def credentials(issuer: Issuer, clock: list[float]) -> ClientCredentials:
    settings = given(token_url="http://issuer", client_id="c", client_secret="s")
    return ClientCredentials(settings, issuer, lambda: clock[0])


async def test_a_token_is_used_until_shortly_before_it_expires() -> None:
    issuer, clock = Issuer(), [0.0]
    tokens = credentials(issuer, clock)
    assert await tokens.token() == "t1"
    clock[0] = 79.0
    assert await tokens.token() == "t1"
    issuer.reply = issuer.token(100)
    clock[0] = 80.0
    assert await tokens.token() == "t2"
    assert issuer.asked == 2


async def test_an_issuer_that_fails_does_not_take_a_working_token_away() -> None:
    issuer, clock = Issuer(), [0.0]
    tokens = credentials(issuer, clock)
    await tokens.token()
    issuer.reply = Reply(503, {}, b"")
    clock[0] = 90.0
    assert await tokens.token() == "t1"
    clock[0] = 100.0
    with pytest.raises(AttemptFailed) as failed:
        await tokens.token()
    assert failed.value.error.category == "unavailable"


@pytest.mark.parametrize(
    "reply",
    [Reply(400, {}, b"{}"), Reply(200, {}, b"<html>"), Reply(200, {}, b"[]"), Reply(200, {}, b'{"access_token": 5}')],
)
async def test_no_token_is_an_authentication_failure(reply: Reply) -> None:
    issuer = Issuer()
    issuer.reply = reply
    with pytest.raises(AttemptFailed) as failed:
        await credentials(issuer, [0.0]).token()
    assert failed.value.error.category == "authentication"


@pytest.mark.parametrize(("said", "renewed_at"), [("50", 40.0), ("never", 3_540.0), (None, 3_540.0), (-5, 0.8)])
async def test_any_lifetime_that_an_issuer_says_is_taken_with_care(said: Any, renewed_at: float) -> None:
    issuer, clock = Issuer(), [0.0]
    issuer.reply = issuer.token(said)
    tokens = credentials(issuer, clock)
    await tokens.token()
    clock[0] = renewed_at - 0.01
    await tokens.token()
    assert issuer.asked == 1
    clock[0] = renewed_at
    await tokens.token()
    assert issuer.asked == 2
