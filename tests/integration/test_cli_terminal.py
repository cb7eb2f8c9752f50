"""Output for people: highlighted in a terminal, plain in a pipe, with hints where nothing was found."""

import os
import pty
import subprocess
import sys
from collections.abc import Iterator, Mapping

import httpx
import pytest

from tests.service import Service, environment, run_service, trawl, wait_until_ready

RED = "\x1b[31m"


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    folder = tmp_path_factory.mktemp("terminal")
    (folder / "notes").mkdir()
    (folder / "notes" / "a.md").write_text(f"# A walrus\n\nFish {RED}& chips for a walrus.\n")
    (folder / "notes" / "long.txt").write_text("a line of a long text\n" * 200)
    with run_service(folder) as started:
        wait_until_ready(started)
        assert trawl("ingest", "notes", "--wait", folder=folder).returncode == 0
        yield started


def in_terminal(service: Service, *arguments: str, env: Mapping[str, str] | None = None) -> str:
    """Return what a command prints to a terminal of 70 columns and 10 lines."""
    ours, theirs = pty.openpty()
    size = {"COLUMNS": "70", "LINES": "10", "TERM": "xterm", "PAGER": "cat"}
    process = subprocess.Popen(
        [sys.executable, "-m", "app", *arguments],
        cwd=service.folder,
        env=environment(service.folder, {**size, **(env or {})}),
        stdin=theirs,
        stdout=theirs,
        stderr=subprocess.DEVNULL,
    )
    os.close(theirs)
    shown = b""
    try:
        while part := os.read(ours, 4096):
            shown += part
    except OSError:
        # Linux reports the end of a terminal so
        pass
    finally:
        os.close(ours)
    assert process.wait(60) == 0
    return shown.decode()


def test_matches_are_highlighted_in_a_terminal_and_nothing_of_a_document_steers_it(service: Service) -> None:
    shown = in_terminal(service, "search", "walrus")
    assert "\x1b[33m\x1b[1mwalrus\x1b[0m" in shown
    assert "Fish" in shown
    assert "& chips" in shown
    assert "&amp;" not in shown
    assert "<mark>" not in shown
    assert RED not in shown


def test_in_a_pipe_or_without_colours_the_text_is_plain(service: Service) -> None:
    assert "\x1b" not in in_terminal(service, "search", "walrus", env={"NO_COLOR": "1"})
    assert "\x1b" not in trawl("search", "walrus", folder=service.folder).stdout


def test_tables_fit_the_terminal(service: Service) -> None:
    shown = in_terminal(service, "list", env={"NO_COLOR": "1"}).splitlines()
    assert max(map(len, shown)) <= 70
    assert "…" in shown[1]
    assert "notes/a.md" in trawl("list", folder=service.folder).stdout


def test_a_long_document_goes_through_the_pager(service: Service) -> None:
    listed = trawl("list", "--path", "notes/long", folder=service.folder).stdout
    id_ = listed.splitlines()[1].split()[0]
    env = {"PAGER": "sed s/line/LINE/"}
    assert in_terminal(service, "show", id_, env=env).count("LINE of a long text\r\n") >= 200
    assert "LINE" not in trawl("show", id_, folder=service.folder, env=env).stdout


def test_nothing_found_comes_with_a_hint_where_to_look(service: Service) -> None:
    none = trawl("search", "walrus", "--index", "default", folder=service.folder)
    assert (none.returncode, none.stdout) == (0, "0 matches\n")
    assert "The index default is empty." in none.stderr
    assert "Not searched: the archive, with 2 documents (--index archive)." in none.stderr
    misspelt = trawl("search", "wallrus", "--exact", folder=service.folder)
    assert misspelt.stdout == "0 matches\nDid you mean: walrus\n"
    with httpx.Client(trust_env=False, base_url=service.url) as client:
        documents = [{"doc_id": "x", "content": "A seal"}]
        client.post("/api/v1/indices/default/documents", json={"documents": documents}).raise_for_status()
    elsewhere = trawl("search", "+seal", "--exact", folder=service.folder)
    assert elsewhere.stderr == "Not searched: the index default, with 1 document (--index default).\n"


def test_an_empty_service_says_what_to_ingest(tmp_path_factory: pytest.TempPathFactory) -> None:
    with run_service(tmp_path_factory.mktemp("empty")) as empty:
        none = trawl("search", "walrus", folder=empty.folder)
        assert (none.returncode, none.stdout) == (0, "0 matches\n")
        assert "trawl ingest PATH" in none.stderr
        listed = trawl("list", folder=empty.folder)
        assert (listed.returncode, listed.stdout) == (0, "")
        assert "trawl ingest PATH" in listed.stderr


@pytest.mark.parametrize(
    ("words", "completed"),
    [
        ("trawl sea", {"search"}),
        ("trawl connect cl", {"claude-code", "claude-desktop"}),
        ("trawl search x --index ", {"archive", "default"}),
        ("trawl search x --index d", {"default"}),
    ],
)
def test_shells_complete_commands_and_names_of_indices(service: Service, words: str, completed: set[str]) -> None:
    env = {"_TRAWL_COMPLETE": "bash_complete", "COMP_WORDS": words, "COMP_CWORD": str(words.count(" "))}
    ended = trawl(folder=service.folder, env=env)
    assert {line.partition(",")[2] for line in ended.stdout.splitlines()} == completed, ended.stderr


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_each_shell_gets_its_script(service: Service, shell: str) -> None:
    shown = trawl("completion", shell, folder=service.folder).stdout
    assert f"_TRAWL_COMPLETE={shell}_complete" in shown
