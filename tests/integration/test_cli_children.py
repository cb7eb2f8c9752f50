"""Children of the embedded service: one of each a data folder, started again when they end, gone with their parent."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from app.embedded.children import Child, Command
from tests.service import is_alive, wait_until

# Writes its number into a file, and waits; with an argument it does not heed SIGTERM.
WAITING = """
import os, pathlib, signal, sys
if len(sys.argv) > 2:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
path = pathlib.Path(sys.argv[1])
beside = path.with_suffix(f".{os.getpid()}")
beside.write_text(str(os.getpid()))
beside.replace(path)
while True:
    signal.pause()
"""
# Holds a child, like the service does, until it is killed.
PARENT = """
import os, pathlib, signal, sys
from app.embedded.children import Child, Command
folder = pathlib.Path(sys.argv[1])
with open(os.devnull, "wb") as nowhere:
    arguments = [sys.executable, "-c", sys.argv[2], str(folder / "pid"), *sys.argv[3:]]
    Child(Command("waiting", arguments, os.environ, folder / "lock", grace_seconds=1, output=nowhere)).start()
    signal.pause()
"""


def pid_in(path: Path) -> int:
    return wait_until(lambda: int(path.read_text()) if path.exists() else 0, "the child runs")


@pytest.fixture
def waiting(tmp_path: Path) -> Iterator[Callable[..., Child]]:
    """Start children that write their number to a file of this name; all end with the test."""
    started: list[Child] = []
    with Path(os.devnull).open("wb") as nowhere:

        def start(name: str, *more: str) -> Child:
            arguments = [sys.executable, "-c", WAITING, str(tmp_path / name), *more]
            child = Child(Command(name, arguments, os.environ, tmp_path / "lock", grace_seconds=0.5, output=nowhere))
            child.start()
            started.append(child)
            return child

        yield start
        for child in started:
            child.stop()


@pytest.mark.parametrize("more", [(), ("stubborn",)])
def test_a_child_that_is_stopped_has_ended(tmp_path: Path, waiting: Callable[..., Child], more: tuple[str]) -> None:
    child = waiting("one", *more)
    pid = pid_in(tmp_path / "one")
    child.stop()
    assert not is_alive(pid)


def test_a_child_heeds_the_signals_that_its_keeper_does_not(tmp_path: Path, waiting: Callable[..., Child]) -> None:
    waiting("one")
    first = pid_in(tmp_path / "one")
    os.kill(first, signal.SIGTERM)
    wait_until(lambda: not is_alive(first), "the child has ended")


def test_a_child_that_ends_is_started_again(tmp_path: Path, waiting: Callable[..., Child]) -> None:
    waiting("one")
    first = pid_in(tmp_path / "one")
    os.kill(first, signal.SIGKILL)
    second = wait_until(lambda: pid if (pid := pid_in(tmp_path / "one")) != first else 0, "another child runs")
    assert is_alive(second)


def test_of_two_with_the_same_lock_the_second_runs_when_the_first_has_ended(
    tmp_path: Path, waiting: Callable[..., Child]
) -> None:
    first = waiting("one")
    pid = pid_in(tmp_path / "one")
    waiting("two")
    assert is_alive(pid)
    assert not (tmp_path / "two").exists()
    first.stop()
    assert is_alive(pid_in(tmp_path / "two"))


def test_stopping_one_that_waits_for_the_lock_leaves_the_other_alone(
    tmp_path: Path, waiting: Callable[..., Child]
) -> None:
    waiting("one")
    pid = pid_in(tmp_path / "one")
    waiting("two").stop()
    assert is_alive(pid)
    assert not (tmp_path / "two").exists()


@pytest.mark.parametrize("more", [(), ("stubborn",)])
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_a_child_ends_with_its_parent_however_that_ends(
    tmp_path: Path, number: signal.Signals, more: tuple[str, ...]
) -> None:
    parent = subprocess.Popen([sys.executable, "-c", PARENT, str(tmp_path), WAITING, *more])
    try:
        pid = pid_in(tmp_path / "pid")
        parent.send_signal(number)
        parent.wait(60)
        wait_until(lambda: not is_alive(pid), "the child has ended")
    finally:
        parent.kill()
        parent.wait()
