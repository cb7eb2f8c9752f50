"""How clients are connected, over HTTP: the same blocks as those of the command, and commands that work."""

import shlex
from pathlib import Path
from typing import Any

import httpx
import pytest

from indexer.bootstrap import open_library
from indexer.settings import IndexerSettings
from indexer.tenancy import TeamId
from mcp_server.access.token_store import TokenStore
from mcp_server.client_setup import CLIENT_SETUPS
from tests.service import application

CONNECT = "/api/v1/connect"
NAMES = ["claude-code", "claude-desktop", "cursor", "vscode", "codex", "chatgpt", "http"]


async def guide(client: httpx.AsyncClient, **headers: str) -> dict[str, Any]:
    answer = await client.get(CONNECT, headers=headers)
    assert answer.status_code == 200, answer.text
    told: dict[str, Any] = answer.json()
    return told


def by_name(told: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {client["name"]: client for client in told["clients"]}


async def test_without_authentication_no_block_has_a_token(tmp_path: Path) -> None:
    async with application(tmp_path) as client:
        told = await guide(client)
    assert (told["url"], told["needs_token"], told["has_issuer"]) == ("http://127.0.0.1:8000/mcp", False, False)
    assert [each["name"] for each in told["clients"]] == NAMES
    for name, each in by_name(told).items():
        assert each["block"] == CLIENT_SETUPS[name].block(told["url"], None)
        assert "<token>" not in each["block"]
        assert (each["title"], each["instruction"]) == (CLIENT_SETUPS[name].title, CLIENT_SETUPS[name].instruction)
    notes = {name: each["note"] for name, each in by_name(told).items()}
    assert "TRAWL_PUBLIC_URL" in notes.pop("chatgpt")
    assert set(notes.values()) == {None}


@pytest.mark.parametrize("issuer", [None, "https://login.example.org"])
async def test_with_authentication_a_token_has_its_place_in_each_block_that_takes_one(
    tmp_path: Path, issuer: str | None
) -> None:
    library = open_library(IndexerSettings(_env_file=None, engine="tantivy", data_dir=tmp_path / "library"))
    token = TokenStore(library.engine.records).issue(TeamId("red"), ["osdu"], name="", created_by="test").token
    settings = {"auth": "on", "oidc_issuer": issuer, "public_url": "https://search.example.org"}
    async with application(tmp_path, library=library, **settings) as client:
        assert (await client.get(CONNECT)).status_code == 401
        told = await guide(client, authorization=f"Bearer {token}")
    await library.aclose()
    assert (told["url"], told["needs_token"]) == ("https://search.example.org/mcp", True)
    assert told["has_issuer"] == (issuer is not None)
    for each in told["clients"]:
        assert ("<token>" in each["block"]) == each["takes_token"] == (each["name"] != "chatgpt")
        assert token not in str(each)
    notes = {name: each["note"] for name, each in by_name(told).items()}
    if issuer is None:
        assert "TRAWL_OIDC_ISSUER" in notes.pop("chatgpt")
        assert set(notes.values()) == {None}
    else:
        assert (notes.pop("chatgpt"), notes.pop("http")) == (None, None)
        assert all("opens the browser" in note for note in notes.values())


async def test_the_commands_of_plain_http_work(tmp_path: Path) -> None:
    library = open_library(IndexerSettings(_env_file=None, engine="tantivy", data_dir=tmp_path / "library"))
    token = TokenStore(library.engine.records).issue(TeamId("red"), ["search"], name="", created_by="test").token
    async with application(tmp_path, library=library, auth="on") as client:
        told = await guide(client, authorization=f"Bearer {token}")
        answers = []
        for part in by_name(told)["http"]["block"].replace("<token>", token).split("\n\n"):
            words = shlex.split(part.partition("\n")[2].replace("\\\n", " "))
            assert words[:2] == ["curl", "-sS"]
            headers = dict(words[at + 1].split(": ", 1) for at, word in enumerate(words) if word == "-H")
            answers.append((await client.post(words[2], content=words[words.index("-d") + 1], headers=headers)).json())
    await library.aclose()
    tools, found = answers
    assert "search" in {tool["name"] for tool in tools["result"]["tools"]}
    assert found["success"]
