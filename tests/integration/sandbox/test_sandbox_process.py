"""The process of the sandboxes: it starts with the first request, is replaced if it dies, and ends with its parent."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.service import environment, is_alive, trawl, wait_until

# Connects the sandboxes as the service does, tells their addresses, and waits for the end of its input.
PARENT = """
import json, sys
from app.embedded.sandboxes import connected_sandboxes
with connected_sandboxes(wanted=True) as settings:
    print(json.dumps([settings["osdu"].url, settings["quilt"].catalog_url]), flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def parent(tmp_path: Path) -> Iterator[subprocess.Popen[bytes]]:
    command = [sys.executable, "-c", PARENT]
    pipe = subprocess.PIPE
    process = subprocess.Popen(command, cwd=tmp_path, env=environment(tmp_path), stdin=pipe, stdout=pipe)
    yield process
    process.kill()
    process.wait()
    for end in (process.stdin, process.stdout):
        assert end is not None
        end.close()


def catalog_of(parent: subprocess.Popen[bytes]) -> str:
    assert parent.stdout is not None
    url: str = httpx.Response(200, content=parent.stdout.readline()).json()[1]
    return url


def children_of(parent: subprocess.Popen[bytes]) -> list[int]:
    listed = subprocess.run(["pgrep", "-P", str(parent.pid)], capture_output=True, check=False)
    return [int(number) for number in listed.stdout.split()]


def ask(url: str) -> int:
    return httpx.get(f"{url}/config.json", trust_env=False, timeout=60).status_code


def test_it_starts_with_the_first_request_and_ends_with_its_parent(parent: subprocess.Popen[bytes]) -> None:
    url = catalog_of(parent)
    assert children_of(parent) == []
    assert ask(url) == 200
    (child,) = children_of(parent)
    assert ask(url) == 200
    assert children_of(parent) == [child]
    assert parent.stdin is not None
    parent.stdin.close()
    assert parent.wait(60) == 0
    assert not is_alive(child)


def test_it_is_replaced_when_it_dies(parent: subprocess.Popen[bytes]) -> None:
    url = catalog_of(parent)
    assert ask(url) == 200
    (child,) = children_of(parent)
    os.kill(child, signal.SIGKILL)
    wait_until(lambda: not is_alive(child), "the process has ended")
    assert ask(url) == 200
    assert children_of(parent) != [child]


def test_it_ends_when_its_parent_is_killed(parent: subprocess.Popen[bytes]) -> None:
    assert ask(catalog_of(parent)) == 200
    (child,) = children_of(parent)
    parent.kill()
    wait_until(lambda: not is_alive(child), "the process has ended")


@pytest.mark.parametrize("name", ["osdu", "quilt"])
def test_the_command_tells_how_to_connect_and_what_to_try(tmp_path: Path, name: str) -> None:
    command = [sys.executable, "-m", "app", "sandbox", name, "--port", "0", "--json"]
    process = subprocess.Popen(command, cwd=tmp_path, env=environment(tmp_path), stdout=subprocess.PIPE)
    assert process.stdout is not None
    told = httpx.Response(200, content=process.stdout.readline()).json()
    assert (told["sandbox"], told["name"]) == (True, name)
    assert told["url"].startswith("http://127.0.0.1:")
    assert told["url"] in told["settings"].values()
    found = subprocess.run(told["try"], shell=True, capture_output=True, check=True, timeout=60).stdout
    assert b"sandbox" in found
    taken = trawl("sandbox", name, "--port", told["url"].rpartition(":")[2], folder=tmp_path)
    assert (taken.returncode, "is taken by another process" in taken.stderr) == (1, True)
    process.send_signal(signal.SIGINT)
    assert process.wait(60) == 0
    process.stdout.close()


def test_the_command_prints_lines_to_copy(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "app", "sandbox", "osdu", "--port", "0"]
    process = subprocess.Popen(command, cwd=tmp_path, env=environment(tmp_path), stdout=subprocess.PIPE)
    assert process.stdout is not None
    lines = []
    while not lines or b"Ctrl+C" not in lines[-1]:
        lines.append(process.stdout.readline())
    text = b"".join(lines).decode()
    for said in ("nothing in it is real", "export TRAWL_OSDU_PARTITION=sandbox", "search_query(", "curl -s http"):
        assert said in text
    process.terminate()
    assert process.wait(60) == 0
    process.stdout.close()
