"""A listing is a listing: S3 is asked for keys only when keys are asked for, and never answers a search."""

import json
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any

import boto3
import pytest
from aiohttp import web

from tests.upstreams.faults import Fault
from tests.upstreams.quilt import QuiltServer
from tests.upstreams.quilt_caller import Caller, caller, settings
from tests.upstreams.quilt_contents import ALPHA
from tests.upstreams.quilt_routes import BOTH, take
from tests.upstreams.search_engines import MEMORY

if TYPE_CHECKING:
    from types_boto3_s3.client import S3Client

ENGINES = (MEMORY,)

KEYS = ("data/salmon 1.csv", "data/salmon 2.csv", "data/trout.csv", "notes/ä&?#+.md", "readme.md")


@pytest.fixture(autouse=True)
def _credentials(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("AWS_PROFILE", "AWS_SESSION_TOKEN", "AWS_ENDPOINT_URL", "AWS_CONFIG_FILE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "made-up")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "the-secret-canary")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")


@pytest.fixture
def s3(s3_endpoint: str, monkeypatch: pytest.MonkeyPatch) -> "S3Client":
    monkeypatch.setenv("AWS_ENDPOINT_URL_S3", s3_endpoint)
    client = boto3.client("s3")
    client.create_bucket(Bucket=ALPHA)
    for key in KEYS:
        client.put_object(Bucket=ALPHA, Key=key, Body=key.encode())
    return client


@pytest.fixture
async def counted(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[list[str]]:
    """An S3 endpoint that only notes what it is asked."""
    asked: list[str] = []

    async def note(request: web.Request) -> web.StreamResponse:
        asked.append(request.path)
        return web.Response(status=500)

    app = web.Application()
    app.router.add_route("*", "/{anything:.*}", note)
    runner = web.AppRunner(app, shutdown_timeout=1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    monkeypatch.setenv("AWS_ENDPOINT_URL_S3", f"http://127.0.0.1:{runner.addresses[0][1]}")
    yield asked
    await runner.cleanup()


@pytest.mark.usefixtures("s3")
async def test_objects_are_listed_as_what_they_are(quilt: QuiltServer, call: Caller) -> None:
    result = await call.listed(ALPHA, prefix="data/")
    assert {name: result[name] for name in ("success", "bucket", "prefix", "is_listing")} == {
        "success": True,
        "bucket": ALPHA,
        "prefix": "data/",
        "is_listing": True,
    }
    assert [each["key"] for each in result["objects"]] == list(KEYS[:3])
    assert set(result["objects"][0]) == {"key", "size", "last_modified", "s3_uri"}
    assert result["objects"][0]["size"] == len(KEYS[0])
    assert result["next_continuation_token"] is None
    assert "score" not in json.dumps(result)
    assert quilt.kinds("introspection", "graphql", "search") == []


@pytest.mark.usefixtures("s3")
async def test_long_listings_come_in_parts(call: Caller) -> None:
    seen: list[str] = []
    more: dict[str, Any] = {}
    while not seen or more["continuation_token"] is not None:
        result = await call.listed(ALPHA, max_keys=2, **more)
        assert len(result["objects"]) <= 2
        seen += [each["key"] for each in result["objects"]]
        more = {"continuation_token": result["next_continuation_token"]}
    assert seen == sorted(KEYS)


async def test_a_listing_of_long_keys_ends_at_max_chars_and_goes_on_there(call: Caller, s3: "S3Client") -> None:
    keys = [f"long/{'x' * 400}/{number}" for number in range(12)]
    for key in keys:
        s3.put_object(Bucket=ALPHA, Key=key, Body=b"")
    seen: list[str] = []
    more: dict[str, Any] = {}
    while not seen or more["continuation_token"] is not None:
        result = await call.listed(ALPHA, prefix="long/", max_chars=4_000, **more)
        assert len(json.dumps(result["objects"])) <= 4_000
        seen += [each["key"] for each in result["objects"]]
        more = {"continuation_token": result["next_continuation_token"]}
    assert seen == sorted(keys)
    for key in keys:
        s3.delete_object(Bucket=ALPHA, Key=key)


@pytest.mark.usefixtures("s3")
async def test_listing_needs_neither_a_catalog_nor_its_token() -> None:
    async with caller(settings(None, token=None)) as call:
        assert len((await call.listed(ALPHA))["objects"]) == len(KEYS)


@pytest.mark.usefixtures("s3")
async def test_what_cannot_be_listed_is_told_with_what_to_do(call: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    missing = await call.listed("no-such-bucket-here")
    assert (missing["success"], missing["error_category"]) == (False, "not_found")
    wrong = await call.listed(ALPHA, continuation_token="made up")
    assert wrong["success"] is False
    named = await call.listed("Not A Bucket/Name")
    assert (named["success"], named["error_category"]) == (False, "validation")
    monkeypatch.setenv("AWS_ENDPOINT_URL_S3", "http://127.0.0.1:1")
    monkeypatch.setenv("AWS_MAX_ATTEMPTS", "1")
    async with caller(settings(None)) as other:
        gone = await other.listed(ALPHA)
    assert (gone["success"], gone["error_category"]) == (False, "unavailable")
    for failure in (missing, wrong, named, gone):
        assert failure["fix"]["required_action"]
        assert failure["alternatives"]
        assert "canary" not in json.dumps(failure)


@pytest.mark.usefixtures("s3")
@pytest.mark.parametrize("generation", [0, None])
async def test_a_catalog_without_search_never_answers_with_a_listing(
    quilt: QuiltServer, call: Caller, generation: Any
) -> None:
    quilt.generation, quilt.elasticsearch = generation, False
    result = await call("salmon", bucket=ALPHA)
    assert (result["success"], result["error_category"]) == (False, "not_applicable")
    assert "results" not in result
    assert "data/salmon" not in json.dumps(result)


@pytest.mark.parametrize("route", BOTH)
async def test_no_search_ever_asks_s3(quilt: QuiltServer, call: Caller, counted: list[str], route: str) -> None:
    take(quilt, route)
    assert (await call("salmon"))["total_results"] > 0
    assert (await call("nothingofthekind"))["results"] == []
    for kind in ("config", "introspection", "graphql", "search"):
        for fault in (Fault(404, {"message": "gone"}), Fault(500, b"broken"), Fault(403, {"message": "no"})):
            quilt.always = {kind: fault}
            result = await call("trout", bucket=ALPHA, refresh=True)
            assert result["success"] or "results" not in result
    quilt.always = {}
    del quilt.bearers["qk_made_up_key"]
    assert (await call("pike", refresh=True))["success"] is False
    assert counted == []
    listed = await call.listed(ALPHA)
    assert listed["success"] is False
    assert counted, "a listing does ask S3"
