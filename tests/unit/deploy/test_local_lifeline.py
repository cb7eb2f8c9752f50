import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from deploy.local.lifeline import Guarded, Lifeline

OWNER = """
import subprocess, sys
from pathlib import Path
from deploy.local.lifeline import Guarded, Lifeline
lifeline = Lifeline(Path(sys.argv[1])).hold()
server = Guarded(subprocess.Popen(["sleep", "600"], start_new_session=True), lifeline.path)
print(server.pid, flush=True)
sys.stdin.read()
"""


def is_alive(pid: int) -> bool:
    """Say whether a process runs; one that has ended and that nobody asked about yet does not."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text(encoding="ascii", errors="replace").rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state not in "ZX"


def wait_until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not condition():
        if time.monotonic() > deadline:
            pytest.fail("It did not come to pass within a minute")
        time.sleep(0.02)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "server"
    made.mkdir()
    return made


def start_sleeper(lifeline: Lifeline) -> Guarded:
    return Guarded(subprocess.Popen(["sleep", "600"], start_new_session=True), lifeline.path)


def test_a_server_and_its_folder_go_when_the_owner_is_killed(folder: Path, pytestconfig: pytest.Config) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", OWNER, str(folder / "lifeline")],
        cwd=pytestconfig.rootpath,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as owner:
        assert owner.stdout is not None
        pid = int(owner.stdout.readline())
        assert is_alive(pid)
        os.kill(owner.pid, signal.SIGKILL)
    wait_until(lambda: not is_alive(pid))
    wait_until(lambda: not folder.exists())


def test_a_server_ends_when_the_lifeline_is_let_go(folder: Path) -> None:
    with Lifeline(folder / "lifeline") as lifeline:
        server = start_sleeper(lifeline)
        assert server.is_running()
    wait_until(lambda: not server.is_running())
    server.stop()


def test_a_stopped_server_is_gone_and_its_folder_stays(folder: Path) -> None:
    with Lifeline(folder / "lifeline") as lifeline:
        server = start_sleeper(lifeline)
        server.stop()
        assert not is_alive(server.pid)
    assert folder.exists()


def test_a_server_that_ignores_the_signal_is_killed(folder: Path) -> None:
    stubborn = [
        sys.executable,
        "-c",
        "import signal; signal.signal(15, signal.SIG_IGN); print(1, flush=True); signal.pause()",
    ]
    with Lifeline(folder / "lifeline") as lifeline:
        process = subprocess.Popen(stubborn, stdout=subprocess.PIPE, start_new_session=True)
        assert process.stdout is not None
        with process.stdout as ready:
            ready.readline()
        server = Guarded(process, lifeline.path)
        server.stop(timeout=0.1)
        assert process.returncode == -signal.SIGKILL


def test_stopping_twice_does_no_harm(folder: Path) -> None:
    with Lifeline(folder / "lifeline") as lifeline:
        server = start_sleeper(lifeline)
        server.stop()
        server.stop()
        assert not server.is_running()


def test_a_server_whose_guard_cannot_start_is_not_left_alone(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Lifeline(folder / "lifeline") as lifeline:
        process = subprocess.Popen(["sleep", "600"], start_new_session=True)
        monkeypatch.setattr(sys, "executable", str(folder / "none"))
        with pytest.raises(FileNotFoundError):
            Guarded(process, lifeline.path)
        assert process.returncode == -signal.SIGKILL
