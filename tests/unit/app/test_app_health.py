"""What readiness asks, how often, and how long it waits."""

import asyncio
import os
from pathlib import Path
from types import SimpleNamespace

import pytest

from app.health import disk
from app.health.disk import check_disk
from app.health.probe import TIMED_OUT, Probe, state_of
from indexer.errors import Unavailable
from indexer.own_thread import in_own_thread

PATIENCE = 60


class Part:
    """A part that answers when it is let."""

    def __init__(self) -> None:
        self.asked = 0
        self.may_answer = asyncio.Event()

    async def ask(self) -> str:
        self.asked += 1
        await self.may_answer.wait()
        return "ok"


async def test_all_who_ask_at_the_same_time_share_one_probe() -> None:
    part = Part()
    probe = Probe(part.ask, timeout=PATIENCE)
    asking = [asyncio.create_task(probe.state()) for _ in range(50)]
    leaving = asyncio.create_task(probe.state())
    await asyncio.sleep(0)
    leaving.cancel()
    part.may_answer.set()
    assert await asyncio.gather(*asking) == ["ok"] * 50
    assert part.asked == 1


async def test_an_answer_is_kept_as_long_as_it_should_be(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr("app.health.probe.time", SimpleNamespace(monotonic=lambda: now[0]))
    part = Part()
    part.may_answer.set()
    probe = Probe(part.ask, timeout=PATIENCE, keep=2)
    for _ in range(100):
        assert await probe.state() == "ok"
    assert part.asked == 1
    now[0] += 2.1
    assert await probe.state() == "ok"
    assert part.asked == 2


async def test_a_part_that_hangs_is_asked_once_and_nobody_waits_for_it_again() -> None:
    part = Part()
    probe = Probe(part.ask, timeout=0.05)
    assert await probe.state() == TIMED_OUT
    async with asyncio.timeout(0.04):
        assert await probe.state() == TIMED_OUT
    assert part.asked == 1
    part.may_answer.set()
    await asyncio.sleep(0)
    assert await probe.state() == "ok"
    probe.close()


async def test_a_part_that_fails_says_why_and_is_asked_again() -> None:
    async def fail() -> None:
        raise Unavailable("it is down", action="Start it")

    probe = Probe(lambda: state_of(fail), timeout=PATIENCE)
    assert [await probe.state(), await probe.state()] == ["unavailable: it is down"] * 2


async def test_a_call_in_its_own_thread_waits_for_no_pool() -> None:
    loop = asyncio.get_running_loop()
    assert await in_own_thread(lambda: 1, "one") == 1
    with pytest.raises(ValueError, match="no"):
        await in_own_thread(lambda: int("no"), "two")
    assert loop.is_running()


def usage(**changed: int) -> SimpleNamespace:
    """A disk with room."""
    roomy = {"f_bavail": 1_000_000, "f_frsize": 4_096, "f_files": 1_000, "f_favail": 900}
    return SimpleNamespace(**{**roomy, **changed})


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"f_bavail": 0}, "only 0 MB left"),
        ({"f_bavail": disk.MIN_FREE_BYTES // 4_096 - 1}, "only 99 MB left"),
        ({"f_favail": 0}, "no more files"),
    ],
)
def test_a_disk_with_little_room_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, changed: dict[str, int], said: str
) -> None:
    monkeypatch.setattr(os, "statvfs", lambda _: usage(**changed))
    with pytest.raises(Unavailable, match=said) as failed:
        check_disk(tmp_path)
    assert "searches go on" in failed.value.action


def test_a_disk_that_counts_no_files_has_room_for_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "statvfs", lambda _: usage(f_files=0, f_favail=0))
    check_disk(tmp_path / "not" / "made")


def test_a_folder_that_may_not_be_written_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "statvfs", lambda _: usage())
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(Unavailable, match="cannot be written"):
        check_disk(tmp_path)
