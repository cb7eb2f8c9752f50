"""Processes that are killed in the middle leave trails that verify, and lose nothing that was acknowledged."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from indexer.engines.audit_port import LogFilter
from tests.contract.audit.trails import Kept
from tests.service import ROOT

CALLERS = 4


@contextmanager
def calling(place: tuple[str, str], name: str) -> Iterator[subprocess.Popen[str]]:
    """Start a process that makes calls, and kill it at the end."""
    command = [sys.executable, "-m", "tests.contract.audit.calling_process", *place, name, str(CALLERS)]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    try:
        yield process
    finally:
        process.kill()
        process.wait(60)
        assert process.stdout is not None
        process.stdout.close()


def said(process: subprocess.Popen[str], number: int) -> list[str]:
    """Return the next lines of a process."""
    assert process.stdout is not None
    lines = [process.stdout.readline().strip() for _ in range(number)]
    assert all(lines), "the process ended by itself"
    return lines


def kill(process: subprocess.Popen[str]) -> list[str]:
    """Kill a process, and return what it had said by then."""
    os.kill(process.pid, signal.SIGKILL)
    process.wait(60)
    assert process.stdout is not None
    # The last line may have been cut off.
    return process.stdout.read().split("\n")[:-1]


def test_two_killed_processes_leave_chains_that_verify_with_all_that_was_acknowledged(
    kept: Kept, place: tuple[str, str]
) -> None:
    with calling(place, "one") as one, calling(place, "other") as other:
        lines = said(one, 60) + said(other, 60)
        lines += kill(one) + said(other, 60) + kill(other)
    found = kept.verify()
    assert (found.chains, found.damage) == (2, ())
    writes = {each["object"]: each["outcome"] for each in kept.shown(LogFilter(operation="search_add_document"))}
    done = {line.removeprefix("done ") for line in lines if line.startswith("done ")}
    begun = {line.removeprefix("begun ") for line in lines if line.startswith("begun ")}
    assert {writes[name] for name in done} == {"ok"}
    assert begun <= set(writes)
    unknown = [name for name, outcome in writes.items() if outcome == "unknown"]
    assert len(unknown) <= 2 * CALLERS
    # What was acknowledged is covered by signed heads, so that even its removal would be found.
    ended = kept.log.find(LogFilter(outcome="ok"), after=None, limit=10_000, newest_first=True)
    acknowledged = [each for each in ended if each.operation == "search_add_document" and each.body["object"] in done]
    for chain in {each.chain for each in acknowledged}:
        last = max((each for each in acknowledged if each.chain == chain), key=lambda each: each.number)
        head = kept.records.get("audit-heads", chain)
        assert head is not None
        assert head.value["number"] >= last.number
    kept.remove(last)
    assert len(kept.verify().damage) == 1


def test_a_process_that_is_killed_and_another_in_its_place_make_two_chains(kept: Kept, place: tuple[str, str]) -> None:
    for name in ("first", "second"):
        with calling(place, name) as process:
            said(process, 10)
            kill(process)
    found = kept.verify()
    assert (found.chains, found.damage) == (2, ())
