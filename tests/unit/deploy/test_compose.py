"""compose.yaml cannot be started where there is no container engine; what can be checked without one is."""

from pathlib import Path

import pytest
import yaml

from app.settings import AppSettings
from indexer.settings import IndexerSettings
from mcp_server.settings import McpSettings
from workers.settings import WorkerSettings

ROOT = Path(__file__).parents[3]
COMPOSE = yaml.safe_load((ROOT / "compose.yaml").read_text())
SETTINGS = (AppSettings, IndexerSettings, McpSettings, WorkerSettings)


@pytest.mark.parametrize("service", ["web", "worker"])
def test_every_setting_in_the_compose_file_exists(service: str) -> None:
    known = {f"TRAWL_{name.upper()}" for settings in SETTINGS for name in settings.model_fields}

    assert set(COMPOSE["services"][service]["environment"]) <= known


def test_the_web_process_and_the_worker_share_the_folder_of_uploads() -> None:
    web, worker = (COMPOSE["services"][name] for name in ("web", "worker"))

    assert web["volumes"] == worker["volumes"] == ["uploads:/data"]
    assert "TRAWL_DATA_DIR=/data" in (ROOT / "deploy" / "Dockerfile").read_text()


def test_the_image_copies_what_exists() -> None:
    copied = [
        name
        for line in (ROOT / "deploy" / "Dockerfile").read_text().splitlines()
        if line.startswith("COPY ") and "--from" not in line
        for name in line.split()[1:-1]
    ]

    assert copied
    assert [name for name in copied if not (ROOT / name).exists()] == []
    ignored = (ROOT / ".dockerignore").read_text().splitlines()
    assert [name for name in copied if f"!{name}" not in ignored] == []
