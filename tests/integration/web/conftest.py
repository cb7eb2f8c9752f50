"""A strict server of OpenAI's endpoint, and a client of the tool that asks it."""

import os
import ssl
from collections.abc import AsyncIterator

import pytest

from tests.upstreams.openai import OpenAiServer, openai_server
from tests.upstreams.openai_caller import Asker, Caller, asking, caller, settings


@pytest.fixture(autouse=True)
def _no_settings_of_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if name.startswith(("TRAWL_WEB_", "OPENAI_")):
            monkeypatch.delenv(name)


@pytest.fixture(autouse=True)
def _no_certificates(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reading them for each client would take longer than all else, and nothing here is encrypted."""
    monkeypatch.setattr("httpcore2.default_ssl_context", lambda **_: ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT))


@pytest.fixture
async def openai() -> AsyncIterator[OpenAiServer]:
    async with openai_server() as server:
        yield server


@pytest.fixture
async def ask(openai: OpenAiServer) -> AsyncIterator[Asker]:
    async with asking(settings(openai.url)) as made:
        yield made


@pytest.fixture
async def call(openai: OpenAiServer) -> AsyncIterator[Caller]:
    async with caller(settings(openai.url)) as made:
        yield made
