"""The wheel, installed into an empty environment: everything that the service needs is in it."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.service import ROOT, Service, served_by

UV = str(Path(sys.executable).with_name("uv"))
PACKAGES = ("app", "deploy", "indexer", "mcp_server", "workers")


@pytest.fixture(scope="module")
def trawl(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Build the wheel from a copy, since a build folder of an earlier one would leak into it, and install it."""
    folder = tmp_path_factory.mktemp("installed")
    copy = folder / "copy"
    copy.mkdir()
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, copy)
    for package in PACKAGES:
        shutil.copytree(ROOT / package, copy / package, ignore=shutil.ignore_patterns("__pycache__"))
    _run(UV, "build", "-q", "--wheel", "--no-build-isolation", "-o", str(folder), str(copy))
    [wheel] = folder.glob("*.whl")
    _run(UV, "venv", "-q", "--python", sys.executable, str(folder / "venv"))
    python = str(folder / "venv" / "bin" / "python")
    _run(UV, "pip", "install", "-q", "--python", python, "--require-hashes", "-r", str(ROOT / "requirements.lock"))
    _run(UV, "pip", "install", "-q", "--python", python, "--no-deps", str(wheel))
    return str(folder / "venv" / "bin" / "trawl")


@pytest.fixture
def home(tmp_path: Path) -> dict[str, str]:
    """An environment with an empty home, and nothing of this project but what was installed."""
    folder = tmp_path / "home"
    folder.mkdir()
    return {"HOME": str(folder), "PATH": os.defpath, "TRAWL_PORT": "0"}


@pytest.fixture
def service(trawl: str, home: dict[str, str], tmp_path: Path) -> Iterator[Service]:
    place = tmp_path / "here"
    place.mkdir()
    with served_by([trawl, "serve", "--demo"], place, home) as running:
        yield running


def test_an_installed_trawl_serves_ingests_and_searches_from_any_folder(
    trawl: str, home: dict[str, str], service: Service, tmp_path: Path
) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "walrus.md").write_text("# Walrus\n\nA walrus rests on the ice.\n")
    ended = _run(trawl, "ingest", ".", "--wait", "--json", cwd=elsewhere, env=home)
    assert json.loads(ended.stdout)["counts"]["indexed"] == 1
    found = json.loads(_run(trawl, "search", "walrus", "--json", cwd=tmp_path, env=home).stdout)
    assert [hit["document"]["title"] for hit in found["results"]] == ["Walrus"]
    sample = json.loads(_run(trawl, "search", "otter", "trawl", "--json", cwd=tmp_path, env=home).stdout)
    assert sample["metadata"]["totalResults"] >= 2
    assert [each.name for each in service.folder.iterdir()] == ["service.log"]


def _run(*command: str, cwd: Path | None = None, env: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    ended = subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True, timeout=240, check=False)
    assert ended.returncode == 0, ended.stderr
    return ended
