"""Tokens that people of the issuer make for themselves: in the team they chose, and while they are not denied."""

import time
from pathlib import Path

import httpx
import pytest

from indexer.bootstrap import open_library
from indexer.settings import IndexerSettings
from mcp_server.access.denied_subjects import DeniedSubjects
from tests.integration.oidc.conftest import bearer
from tests.integration.oidc.provider import OidcProvider
from tests.service import Service, trawl, wait_until

pytestmark = pytest.mark.xdist_group("oidc")

OWN, ME = "/api/v1/me/tokens", "/api/v1/me"


async def wait_for(client: httpx.AsyncClient, token: str, status: int) -> None:
    deadline = time.monotonic() + 1
    while (await client.get(ME, headers=bearer(token))).status_code != status:
        assert time.monotonic() < deadline, f"not {status} after a second"


async def test_a_person_makes_a_token_with_its_own_rights_in_the_team_it_chose(
    client: httpx.AsyncClient, provider: OidcProvider
) -> None:
    ann = bearer(provider.token(sub="ann", scope="openid search ingest", team=["red", "blue"]))
    blue = {**ann, "trawl-team": "blue"}
    made = (await client.post(OWN, json={"scopes": ["search"], "name": "Cursor"}, headers=blue)).json()
    beyond = await client.post(OWN, json={"scopes": ["admin"]}, headers=blue)
    assert (beyond.status_code, beyond.json()["details"]) == (403, {"missing_scopes": ["admin"]})
    me = (await client.get(ME, headers=bearer(made["token"]))).json()
    assert (me["subject"], me["team"], me["teams"], me["scopes"]) == ("ann", "blue", ["blue"], ["search"])
    listed = {
        team: [entry["id"] for entry in (await client.get(OWN, headers={**ann, "trawl-team": team})).json()["tokens"]]
        for team in ("red", "blue")
    }
    assert listed == {"red": [], "blue": [made["id"]]}
    ben = bearer(provider.token(sub="ben", team="blue"))
    assert (await client.delete(f"{OWN}/{made['id']}", headers=ben)).status_code == 404
    assert (await client.post(OWN, json={"scopes": ["search"]}, headers=bearer(made["token"]))).status_code == 403


async def test_the_tokens_of_a_denied_subject_are_refused_within_a_second(
    tmp_path: Path, client: httpx.AsyncClient, provider: OidcProvider
) -> None:
    own = {}
    for who in ("ann", "ben"):
        headers = bearer(provider.token(sub=who))
        own[who] = (await client.post(OWN, json={"scopes": ["search"]}, headers=headers)).json()["token"]
        assert (await client.get(ME, headers=bearer(own[who]))).status_code == 200
    # A command on the host of the service works on the same data by another library.
    other = open_library(IndexerSettings(engine="tantivy", data_dir=tmp_path / "library"))
    DeniedSubjects(other.engine.records).deny(provider.issuer, "ann", seconds=3600, denied_by="local")
    await wait_for(client, own["ann"], 401)
    assert (await client.get(ME, headers=bearer(own["ben"]))).status_code == 200
    await other.aclose()


def test_the_command_that_denies_a_subject_revokes_its_tokens_for_good(
    service: Service, provider: OidcProvider
) -> None:
    env = {"TRAWL_OIDC_ISSUER": provider.issuer}
    with httpx.Client(base_url=service.url) as client:
        cat = bearer(provider.token(sub="cat", aud=f"{service.url}/mcp"))
        made = client.post(OWN, json={"scopes": ["search"]}, headers=cat)
        assert made.status_code == 200, made.text
        own = bearer(made.json()["token"])
        denied = trawl("subject", "deny", "cat", folder=service.folder, env=env)
        assert "1 token that it made for itself revoked" in denied.stdout, denied.stderr
        assert trawl("subject", "allow", "cat", folder=service.folder, env=env).returncode == 0
        wait_until(lambda: client.get(ME, headers=cat).status_code == 200, "cat is accepted", 10)
        assert client.get(ME, headers=own).status_code == 401
        assert client.get(OWN, headers=cat).json()["tokens"] == []
