"""Teams and scopes of an issuer's tokens."""

from pathlib import Path
from typing import Any

import httpx
import pytest

from indexer.library import Library
from indexer.tenancy import TeamId
from mcp_server.access.token_store import TokenStore
from tests.integration.oidc.conftest import bearer
from tests.integration.oidc.provider import OidcProvider
from tests.modern import modern_request
from tests.service import application

pytestmark = pytest.mark.xdist_group("oidc")

ME = "/api/v1/me"
SEARCH = "/api/v1/indices/default/search"


async def test_a_caller_of_several_teams_is_told_which_there_are(
    client: httpx.AsyncClient, provider: OidcProvider
) -> None:
    answer = await client.get(ME, headers=bearer(provider.token(team=["red", "blue"])))
    assert answer.status_code == 403
    assert answer.json() == {
        "success": False,
        "error": "Choose one of your teams",
        "error_category": "authorization",
        "details": {"teams": ["red", "blue"]},
        "fix": {"required_action": "Send the header Trawl-Team, or ?team= in the address, with one of: red, blue"},
        "alternatives": {},
    }
    assert "www-authenticate" not in answer.headers


async def test_it_chooses_by_a_header_or_in_the_address(client: httpx.AsyncClient, provider: OidcProvider) -> None:
    both = bearer(provider.token(team=["red", "blue"], scope="search write"))
    await client.put(
        "/api/v1/indices/default/documents/d1", json={"content": "reef"}, headers={**both, "trawl-team": "red"}
    )
    for team, found in (("red", 1), ("blue", 0)):
        me = (await client.get(ME, headers={**both, "trawl-team": team})).json()
        assert (me["team"], me["teams"]) == (team, ["red", "blue"])
        assert (await client.get(f"{ME}?team={team}", headers=both)).json()["team"] == team
        searched = await client.post(f"{SEARCH}?team={team}", json={"query": "reef"}, headers=both)
        assert searched.json()["total_matches"] == found
        headers, body = modern_request("tools/call", {"name": "search_index", "arguments": {"query": "reef"}})
        over_mcp = await client.post(f"/mcp?tools=local_index&team={team}", json=body, headers={**headers, **both})
        assert over_mcp.json()["result"]["structuredContent"]["total_matches"] == found


@pytest.mark.parametrize("chosen", ["green", "", "RED", "red,blue", "../red", "r" * 200])
async def test_a_team_of_others_is_refused_like_one_that_does_not_exist(
    client: httpx.AsyncClient, provider: OidcProvider, chosen: str
) -> None:
    for teams in (["red", "blue"], "red"):
        headers = bearer(provider.token(team=teams))
        others = await client.get(ME, headers={**headers, "trawl-team": chosen})
        unknown = await client.get(ME, params={"team": "nobody-has-this"}, headers=headers)
        assert others.status_code == 403
        assert others.json() == unknown.json()


async def test_two_different_choices_are_none(client: httpx.AsyncClient, provider: OidcProvider) -> None:
    headers = {**bearer(provider.token(team=["red", "blue"])), "trawl-team": "red"}
    assert (await client.get(f"{ME}?team=red", headers=headers)).json()["team"] == "red"
    assert (await client.get(f"{ME}?team=blue", headers=headers)).status_code == 403


@pytest.mark.parametrize("team", [None, [], "", "No Team", 7, [7, None, {"a": 1}], {"red": True}])
async def test_a_caller_without_a_team_is_refused(
    client: httpx.AsyncClient, provider: OidcProvider, team: object
) -> None:
    answer = await client.get(ME, headers=bearer(provider.token(team=team)))
    assert (answer.status_code, answer.json()["details"]) == (403, {"teams": []})


async def test_groups_that_cannot_be_teams_are_left_out(client: httpx.AsyncClient, provider: OidcProvider) -> None:
    answer = await client.get(ME, headers=bearer(provider.token(team=["/all staff", "red", "red", "Everybody"])))
    assert answer.json()["teams"] == ["red"]


async def test_an_own_token_serves_no_other_team(client: httpx.AsyncClient, library: Library) -> None:
    issued = TokenStore(library.engine.records).issue(TeamId("red"), ["search"], name="", created_by="test")
    for team, status in (("red", 200), ("blue", 403)):
        answer = await client.get(ME, headers={**bearer(issued.token), "trawl-team": team})
        assert answer.status_code == status


@pytest.mark.parametrize(
    ("scope", "held"),
    [
        ("openid  profile search unknown", ["search"]),
        (["write", "search", 7, "email"], ["search", "write"]),
        ("SEARCH", []),
        ("search,write", []),
        (None, []),
        ({"search": True}, []),
    ],
)
async def test_unknown_scopes_are_ignored(
    client: httpx.AsyncClient, provider: OidcProvider, scope: object, held: list[str]
) -> None:
    assert (await client.get(ME, headers=bearer(provider.token(scope=scope)))).json()["scopes"] == held


async def test_a_missing_scope_is_403_and_named(client: httpx.AsyncClient, provider: OidcProvider) -> None:
    answer = await client.put(
        "/api/v1/indices/default/documents/d1", json={"content": "x"}, headers=bearer(provider.token(scope="search"))
    )
    assert answer.status_code == 403
    assert 'error="insufficient_scope", scope="write"' in answer.headers["www-authenticate"]


async def test_claims_and_audiences_are_settings(tmp_path: Path, library: Library, provider: OidcProvider) -> None:
    settings: dict[str, Any] = {
        "oidc_team_claim": "https://example.org/groups",
        "oidc_scope_claim": "scp",
        "oidc_audience": ("api://trawl", "trawl"),
    }
    token = provider.token(
        aud="api://trawl", scope="write", scp=["search"], team="blue", **{"https://example.org/groups": ["red"]}
    )
    async with application(tmp_path, library=library, auth="on", oidc_issuer=provider.issuer, **settings) as client:
        me = (await client.get(ME, headers=bearer(token))).json()
        assert (me["team"], me["scopes"]) == ("red", ["search"])
        by_default = await client.get(ME, headers=bearer(provider.token()))
        assert by_default.json()["error"] == "The token is meant for another service"
