"""What `trawl doctor` tells of a catalog: its backend, or what to do."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from tests.service import run_service, trawl
from tests.upstreams.quilt import API_KEY, QuiltServer
from tests.upstreams.quilt_contents import ALPHA
from tests.upstreams.search_engines import MEMORY

ENGINES = (MEMORY,)


async def examined(quilt: QuiltServer, folder: Path, **changes: str) -> dict[str, Any]:
    """Return the doctor's line; the catalog runs in this process, so the command must not block it."""
    env = {"TRAWL_QUILT_CATALOG_URL": quilt.url, "TRAWL_QUILT_TOKEN": API_KEY, **changes}
    doctor = await asyncio.to_thread(trawl, "doctor", "--json", folder=folder, env=env)
    (check,) = (check for check in json.loads(doctor.stdout)["checks"] if check["name"] == "quilt")
    assert doctor.returncode == (check["status"] == "broken"), doctor.stdout
    return dict(check)


@pytest.mark.parametrize(
    ("stack", "buckets", "expected"),
    [
        ((3, True), "", ("ok", "searches with GraphQL; buckets that can be searched: 3", "")),
        ((None, True), ALPHA, ("ok", "Elasticsearch (the registry has no GraphQL search, and that is fine);", "")),
        ((None, True), "", ("ok", "no GraphQL search, and that is fine)", "TRAWL_QUILT_BUCKETS")),
        ((None, False), "", ("broken", "neither GraphQL search nor Elasticsearch", "TRAWL_QUILT_CATALOG_URL")),
    ],
    ids=["GraphQL", "Elasticsearch", "Elasticsearch without a list", "neither"],
)
async def test_the_doctor_says_how_the_catalog_searches(
    quilt: QuiltServer, tmp_path: Path, stack: Any, buckets: str, expected: tuple[str, str, str]
) -> None:
    quilt.generation, quilt.elasticsearch = stack
    check = await examined(quilt, tmp_path, TRAWL_QUILT_BUCKETS=buckets)
    status, detail, action = expected
    assert (check["status"], bool(check["action"])) == (status, bool(action))
    assert detail in check["detail"]
    assert action in check["action"]


async def test_the_doctor_asks_a_running_service(quilt: QuiltServer, tmp_path: Path) -> None:
    quilt.generation = None
    env = {"TRAWL_QUILT_CATALOG_URL": quilt.url, "TRAWL_QUILT_TOKEN": "qk_refused"}
    with run_service(tmp_path, env=env):
        check = await examined(quilt, tmp_path)
    assert (check["status"], "TRAWL_QUILT_TOKEN" in check["action"]) == ("broken", True)
