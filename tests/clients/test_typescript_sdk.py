"""The TypeScript SDK in its two versions, each with the revision of the protocol that it speaks."""

import json
import shutil
from pathlib import Path

import pytest

from tests.clients.journey import UNKNOWN, Journey, assert_complete, search_arguments
from tests.clients.packages import node
from tests.service import Service

SCRIPTS = Path(__file__).parent
SECONDS = 60.0

pytestmark = pytest.mark.xdist_group("clients")


@pytest.mark.parametrize("script", ["typescript_v1.mjs", "typescript_v2.mjs"])
def test_a_client_searches_reads_on_and_is_told_why_it_fails(
    packages: Path, tmp_path: Path, service: Service, index: str, script: str
) -> None:
    # Node looks for packages beside the script.
    (tmp_path / "node_modules").symlink_to(packages)
    for name in ("journey.mjs", script):
        shutil.copy(SCRIPTS / name, tmp_path)
    asked = {"url": f"{service.url}/mcp", "search": search_arguments(index), "unknown": search_arguments(UNKNOWN)}
    ended = node(tmp_path / script, json.dumps(asked), folder=tmp_path, timeout=SECONDS)
    assert ended.returncode == 0, ended.stderr
    assert_complete(Journey(**json.loads(ended.stdout)))
