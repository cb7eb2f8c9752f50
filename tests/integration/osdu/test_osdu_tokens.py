"""Access tokens by client credentials, against a real issuer over HTTP."""

import asyncio

from tests.upstreams.osdu import CLIENT, OsduServer
from tests.upstreams.osdu_caller import caller, settings
from tests.upstreams.search_engines import MEMORY

ENGINES = (MEMORY,)


def by_credentials(osdu: OsduServer, **changes: str) -> dict[str, str | None]:
    return {"token": None, "token_url": f"{osdu.url}/oauth/token", **CLIENT, **changes}


async def test_one_token_is_fetched_for_all_callers_and_used_again(osdu: OsduServer) -> None:
    async with caller(settings(osdu.url, **by_credentials(osdu))) as call:
        assert osdu.requests == []
        results = await asyncio.gather(*(call("search_query", query=f'data.UWI:"860{n}"') for n in range(1, 6)))
        again = await call("search_query", query="*")
    assert [result["totalCount"] for result in results] == [1] * 5
    assert again["success"]
    assert osdu.issued == 1
    used = {request.headers.get("authorization") for request in osdu.requests if request.path.endswith("query")}
    assert used == {"Bearer issued-1"}


async def test_a_token_is_renewed_before_it_expires(osdu: OsduServer) -> None:
    osdu.announced_seconds = 1
    async with caller(settings(osdu.url, **by_credentials(osdu))) as call:
        await call("search_query", query="*")
        deadline = asyncio.get_running_loop().time() + 60
        while osdu.issued < 2:
            assert asyncio.get_running_loop().time() < deadline
            assert (await call("search_query", query="*"))["success"]
    assert "issued-1" in osdu.users, "it was renewed although it still worked"


async def test_a_refused_token_is_replaced_at_once(osdu: OsduServer) -> None:
    async with caller(settings(osdu.url, **by_credentials(osdu))) as call:
        await call("search_query", query="*")
        del osdu.users["issued-1"]
        result = await call("search_query", query="_exists_:id")
    assert result["success"]
    assert osdu.issued == 2


async def test_wrong_credentials_are_an_authentication_failure_that_names_the_settings(osdu: OsduServer) -> None:
    async with caller(settings(osdu.url, **by_credentials(osdu, client_secret="wrong"))) as call:
        result = await call("search_query", query="*")
    assert (result["error"], result["error_category"]) == ("Authentication required", "authentication")
    assert "TRAWL_OSDU_CLIENT_SECRET" in result["fix"]["required_action"]
    assert osdu.bodies("query") == []


async def test_an_issuer_that_is_not_there_makes_the_service_unavailable(osdu: OsduServer) -> None:
    changes = by_credentials(osdu, token_url="http://127.0.0.1:1/token")
    async with caller(settings(osdu.url, **changes)) as call:
        result = await call("search_query", query="*")
    assert result["error_category"] == "unavailable"


async def test_missing_parts_of_the_credentials_are_named(osdu: OsduServer) -> None:
    changes = by_credentials(osdu) | {"client_secret": None}
    async with caller(settings(osdu.url, **changes)) as call:
        result = await call("search_query", query="*")
    assert result["details"]["missing"] == ["TRAWL_OSDU_CLIENT_SECRET"]
