import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from app.embedded.service_file import NAME, RunningService, announce, running_service, withdraw


def service(pid: int | None = None, instance: str = "i1") -> RunningService:
    return RunningService(pid or os.getpid(), "http://127.0.0.1:8000", instance)


def test_an_announced_service_is_found(tmp_path: Path) -> None:
    announce(tmp_path / "data", service())
    assert running_service(tmp_path / "data") == service()


def test_the_file_is_its_owners_alone_and_nothing_else_is_left(tmp_path: Path) -> None:
    announce(tmp_path, service())
    assert stat.S_IMODE((tmp_path / NAME).stat().st_mode) == 0o600
    assert [path.name for path in tmp_path.iterdir()] == [NAME]


def test_a_withdrawn_service_is_not_found(tmp_path: Path) -> None:
    announce(tmp_path, service())
    withdraw(tmp_path, service())
    assert running_service(tmp_path) is None
    assert not list(tmp_path.iterdir())


def test_a_service_does_not_withdraw_another(tmp_path: Path) -> None:
    announce(tmp_path, service(instance="i1"))
    announce(tmp_path, service(instance="i2"))
    withdraw(tmp_path, service(instance="i1"))
    assert running_service(tmp_path) == service(instance="i2")


def test_a_service_whose_process_is_gone_is_not_found(tmp_path: Path) -> None:
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    announce(tmp_path, service(ended.pid))
    assert running_service(tmp_path) is None


@pytest.mark.parametrize("content", ["", "{", "[]", "{}", '{"pid": "x", "url": "u", "instance": "i"}', '{"pid": 0}'])
def test_a_broken_file_means_that_no_service_runs(tmp_path: Path, content: str) -> None:
    (tmp_path / NAME).write_text(content)
    assert running_service(tmp_path) is None


def test_no_folder_means_that_no_service_runs(tmp_path: Path) -> None:
    assert running_service(tmp_path / "absent") is None
    withdraw(tmp_path / "absent", service())
