"""Whose rights decide what callers find in OSDU: the status and the doctor say it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from app.cli.checks import rights
from indexer.bootstrap import open_library
from indexer.library import Library
from indexer.settings import IndexerSettings
from mcp_server.features.status.status import status
from tests.made_services import MAIN, made_upstreams, with_jobs
from tests.upstreams.osdu_caller import settings


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    opened = open_library(IndexerSettings(_env_file=None, engine="tantivy", data_dir=tmp_path))
    yield opened
    opened.close()


async def test_the_status_names_the_service_account_where_osdu_is_configured(library: Library) -> None:
    with_osdu = made_upstreams(osdu=settings("http://127.0.0.1:1"))
    found = await status(with_jobs(library, with_osdu), MAIN)
    assert (found["sources"]["osdu"], found["rights"]) == ("configured", {"osdu": "service account"})
    without = await status(with_jobs(library), MAIN)
    assert (without["sources"]["osdu"], without["rights"]) == ("not configured", {})


def test_the_doctor_says_it_in_words() -> None:
    (check,) = rights({"osdu": "service account"})
    assert (check.name, check.status) == ("osdu", "ok")
    assert check.detail == "configured; every caller finds what its service account may read"
    assert list(rights({})) == []
