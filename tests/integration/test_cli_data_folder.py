"""The data folder: in the user's own place, for its owner only, and never created by a command that looks for data."""

import json
import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.service import Service, run_service, trawl, wait_until_ready

UNSET = {"TRAWL_DATA_DIR": "", "XDG_DATA_HOME": ""}


@pytest.fixture
def home(tmp_path: Path) -> Path:
    folder = tmp_path / "home"
    folder.mkdir()
    return folder


def notes(folder: Path) -> Path:
    (folder / "notes").mkdir(parents=True)
    (folder / "notes" / "a.md").write_text("# A walrus\n\nOn the ice.\n")
    return folder / "notes"


def everything_below(folder: Path) -> Iterator[tuple[Path, int]]:
    for path in (folder, *folder.rglob("*")):
        yield path, stat.S_IMODE(path.stat().st_mode)


@pytest.mark.parametrize(
    "arguments",
    [
        ["search", "walrus"],
        ["search", "walrus", "--index", "default"],
        ["show", "d_1"],
        ["list"],
        ["rm", "d_1"],
        ["open", "d_1"],
        ["cite", "d_1"],
        ["indices"],
        ["status"],
        ["jobs"],
        ["jobs", "show", "j_1"],
        ["reindex", "archive"],
    ],
    ids=" ".join,
)
def test_a_command_without_data_says_so_and_creates_nothing(home: Path, arguments: list[str]) -> None:
    ended = trawl(*arguments, folder=home, env={**UNSET, "HOME": str(home)})
    assert ended.returncode == 1
    assert ended.stdout == ""
    assert str(home / ".local/share/trawl") in ended.stderr
    assert "trawl ingest" in ended.stderr
    assert "TRAWL_DATA_DIR" in ended.stderr
    assert not list(home.iterdir())


def test_as_json_it_is_a_failure_like_any_other(home: Path) -> None:
    ended = trawl("search", "walrus", "--json", folder=home, env={**UNSET, "HOME": str(home)})
    failure = json.loads(ended.stdout)
    assert (ended.returncode, failure["success"], failure["error_category"]) == (1, False, "not_found")
    assert failure["fix"]["required_action"]


@pytest.mark.parametrize("arguments", [["doctor"], ["connect", "cursor"], ["completion", "bash"]], ids=" ".join)
def test_commands_that_need_no_data_create_nothing_either(home: Path, arguments: list[str]) -> None:
    ended = trawl(*arguments, folder=home, env={**UNSET, "HOME": str(home)})
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert not list(home.iterdir())


def test_what_is_ingested_in_one_directory_is_found_from_another(home: Path, tmp_path: Path) -> None:
    env = {**UNSET, "HOME": str(home)}
    folder = notes(tmp_path / "research")
    ingested = trawl("ingest", "notes", "--json", folder=folder.parent, env=env)
    assert json.loads(ingested.stdout)["counts"]["indexed"] == 1, ingested.stderr
    assert not (folder.parent / "data").exists()
    found = trawl("search", "walrus", "--json", folder=home, env=env)
    assert json.loads(found.stdout)["results"][0]["document"]["path"] == "notes/a.md"
    assert found.stderr == ""
    for path, mode in everything_below(home / ".local/share/trawl"):
        assert not mode & 0o077, path


def test_the_folder_of_an_earlier_version_is_used_with_a_notice(home: Path, tmp_path: Path) -> None:
    env = {**UNSET, "HOME": str(home)}
    project = notes(tmp_path / "project").parent
    earlier = project / "data"
    assert trawl("ingest", "notes", folder=project, env={"HOME": str(home)}).returncode == 0
    earlier.chmod(0o755)
    found = trawl("search", "walrus", "--json", folder=project, env=env)
    assert json.loads(found.stdout)["metadata"]["totalResults"] == 1
    assert str(earlier) in found.stderr
    assert str(home / ".local/share/trawl") in found.stderr
    # it is tightened, like any other
    assert stat.S_IMODE(earlier.stat().st_mode) == 0o700
    # from elsewhere it is unknown
    assert trawl("search", "walrus", folder=home, env=env).returncode == 1


def test_a_folder_that_is_merely_called_data_is_left_alone(home: Path, tmp_path: Path) -> None:
    (tmp_path / "data").mkdir(mode=0o755)
    (tmp_path / "data" / "table.csv").write_text("a,b\n")
    ended = trawl("search", "walrus", folder=tmp_path, env={**UNSET, "HOME": str(home)})
    assert ended.returncode == 1
    assert [path.name for path in (tmp_path / "data").iterdir()] == ["table.csv"]


@pytest.fixture
def open_service(tmp_path: Path) -> Iterator[Service]:
    """A service with a worker, on a folder that was open to others, started with the usual rights for new files."""
    (tmp_path / "data").mkdir(mode=0o755)
    before = os.umask(0o022)
    try:
        with run_service(tmp_path, "--demo") as service:
            wait_until_ready(service)
            yield service
    finally:
        os.umask(before)


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the rights for new files are read in /proc")
def test_all_processes_keep_what_they_write_to_themselves(open_service: Service, tmp_path: Path) -> None:
    data = open_service.folder / "data"
    assert trawl("ingest", str(notes(tmp_path / "research")), "--wait", folder=open_service.folder).returncode == 0
    for path, mode in everything_below(data):
        assert not mode & 0o077, path
    masks = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdecimal():
            try:
                known = (folder / "cmdline").read_bytes() + (folder / "environ").read_bytes()
                status = (folder / "status").read_text()
            except OSError:
                continue
            if str(data).encode() in known or int(folder.name) == open_service.process.pid:
                masks[folder.name] = next(line for line in status.splitlines() if line.startswith("Umask:")).split()[1]
    assert len(masks) >= 5
    assert set(masks.values()) == {"0077"}
