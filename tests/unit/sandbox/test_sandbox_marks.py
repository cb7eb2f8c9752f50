"""A service that uses the credentials of a sandbox marks what it finds there; others do not."""

from pathlib import Path
from typing import Any

import pytest

from indexer.bootstrap import open_library
from indexer.settings import IndexerSettings
from mcp_server.features.osdu.settings import OsduSettings
from mcp_server.features.quilt.settings import QuiltSettings
from mcp_server.features.status.status import status
from mcp_server.sandbox import OSDU_SANDBOX_TOKEN, QUILT_SANDBOX_KEY, marked, sandbox_lines
from tests.made_services import MAIN, made_upstreams, with_jobs

OSDU: dict[str, Any] = {"url": "https://osdu.example.com", "partition": "p"}


@pytest.mark.parametrize(
    ("settings", "is_sandbox"),
    [
        (OsduSettings(_env_file=None, **OSDU, token=OSDU_SANDBOX_TOKEN), True),
        (OsduSettings(_env_file=None, **OSDU, token="other"), False),
        (OsduSettings(_env_file=None, url="http://127.0.0.1:1", partition="sandbox"), False),
        (QuiltSettings(_env_file=None, catalog_url="http://127.0.0.1:1", token=QUILT_SANDBOX_KEY), True),
        (QuiltSettings(_env_file=None, catalog_url="http://127.0.0.1:1", token="qk_other"), False),
        (QuiltSettings(_env_file=None), False),
    ],
)
def test_a_sandbox_is_known_by_its_credentials(settings: OsduSettings | QuiltSettings, *, is_sandbox: bool) -> None:
    assert settings.is_sandbox is is_sandbox


def test_a_marked_result_says_so_in_its_text() -> None:
    result = {"success": True}
    assert marked(result) == {"success": True, "sandbox": True}
    assert sandbox_lines(result) == []
    assert sandbox_lines(marked(result)) == ["sandbox: true (sample data, nothing here is real)"]


async def test_the_status_names_the_sandboxes_and_only_them(tmp_path: Path) -> None:
    library = open_library(IndexerSettings(_env_file=None, engine="tantivy", data_dir=tmp_path))
    real = OsduSettings(_env_file=None, **OSDU, token="other")
    sandbox = QuiltSettings(_env_file=None, catalog_url="http://127.0.0.1:1", token=QUILT_SANDBOX_KEY)
    mixed = await status(with_jobs(library, made_upstreams(osdu=real, quilt=sandbox)), MAIN)
    plain = await status(with_jobs(library, made_upstreams(osdu=real)), MAIN)
    await library.aclose()
    assert (mixed["sandbox"], mixed["sandboxes"]) == (True, ["quilt"])
    assert "sandbox" not in plain
    assert "sandboxes" not in plain
