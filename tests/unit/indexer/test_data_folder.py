import errno
import stat
from pathlib import Path

import pytest

from indexer.data_folder import (
    INDICES_FOLDER,
    RECORDS_FILE,
    configured_data_folder,
    default_data_folder,
    earlier_data_folder_in_use,
    holds_data,
    open_data_folder,
    user_data_folder,
    writing_data,
)
from indexer.errors import NotConfigured, PlatformError


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """An empty home and current directory of a user on Linux who has set nothing."""
    for name in ("TRAWL_DATA_DIR", "XDG_DATA_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("sys.platform", "linux")
    home, current = tmp_path / "home", tmp_path / "current"
    home.mkdir()
    current.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.chdir(current)
    return home


def fill(folder: Path) -> Path:
    """Put there what the embedded engine does with its first document."""
    (folder / INDICES_FOLDER / "trawl.main.archive.1").mkdir(parents=True)
    (folder / RECORDS_FILE).write_bytes(b"")
    return folder


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.mark.parametrize(
    ("platform", "below"),
    [
        ("linux", ".local/share/trawl"),
        ("freebsd14", ".local/share/trawl"),
        ("darwin", "Library/Application Support/trawl"),
    ],
)
def test_each_system_has_its_place_below_the_home(
    monkeypatch: pytest.MonkeyPatch, home: Path, platform: str, below: str
) -> None:
    monkeypatch.setattr("sys.platform", platform)
    assert default_data_folder() == home / below


def test_on_windows_it_is_the_local_application_data(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("sys.platform", "win32")
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "Local"))
    assert user_data_folder() == tmp_path / "Local" / "trawl"


def test_the_environment_may_name_another_place_for_data(monkeypatch: pytest.MonkeyPatch, home: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", "/srv/data")
    assert default_data_folder() == Path("/srv/data/trawl")
    # the specification says so
    monkeypatch.setenv("XDG_DATA_HOME", "relative")
    assert default_data_folder() == home / ".local/share/trawl"


def test_a_user_without_a_home_is_told_what_to_set(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "home", missing)
    with pytest.raises(NotConfigured) as failed:
        default_data_folder()
    assert "TRAWL_DATA_DIR" in failed.value.action


def test_the_folder_of_an_earlier_version_is_used() -> None:
    earlier = fill(Path.cwd() / "data")
    assert default_data_folder() == configured_data_folder() == earlier_data_folder_in_use() == earlier


def test_it_is_not_used_where_another_one_is_set(monkeypatch: pytest.MonkeyPatch) -> None:
    fill(Path.cwd() / "data")
    monkeypatch.setenv("TRAWL_DATA_DIR", "/elsewhere")
    assert configured_data_folder() == Path("/elsewhere")
    assert earlier_data_folder_in_use() is None


@pytest.mark.parametrize("made", [[], ["readme.txt"], [RECORDS_FILE], ["indices/x"], [RECORDS_FILE, "indices"]])
def test_any_other_folder_of_that_name_is_left_alone(home: Path, made: list[str]) -> None:
    folder = Path.cwd() / "data"
    folder.mkdir()
    for name in made:
        path = folder / name
        path.touch() if path.suffix else path.mkdir(parents=True)
    assert default_data_folder() == home / ".local/share/trawl"
    assert earlier_data_folder_in_use() is None


def test_a_current_directory_that_is_gone_does_no_harm(monkeypatch: pytest.MonkeyPatch, home: Path) -> None:
    gone = Path.cwd()
    gone.rmdir()
    assert default_data_folder() == home / ".local/share/trawl"
    monkeypatch.chdir(home)


def test_a_folder_holds_data_once_the_engine_has_kept_records(tmp_path: Path) -> None:
    assert not holds_data(tmp_path / "absent")
    assert not holds_data(tmp_path)
    assert holds_data(fill(tmp_path / "filled"))


def test_a_new_folder_is_its_owners_alone(home: Path) -> None:
    open_data_folder(default_data_folder())
    assert mode(home / ".local/share/trawl") == 0o700


@pytest.mark.parametrize("rights", [0o755, 0o750, 0o707, 0o2770, 0o700])
def test_a_folder_with_wider_rights_is_tightened(tmp_path: Path, rights: int) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    folder.chmod(rights)
    open_data_folder(folder)
    assert mode(folder) == 0o700


def test_what_an_earlier_version_left_open_below_is_shut_too_and_links_are_not_followed(tmp_path: Path) -> None:
    folder, outside = tmp_path / "data", tmp_path / "outside"
    (folder / "indices" / "one").mkdir(parents=True)
    (folder / "indices" / "one" / "meta.json").touch(0o644)
    outside.touch(0o644)
    (folder / "link").symlink_to(outside)
    for path in (folder, folder / "indices", folder / "indices" / "one"):
        path.chmod(0o755)
    (folder / "indices" / "one" / "meta.json").chmod(0o644)
    outside.chmod(0o644)
    assert open_data_folder(folder)
    assert mode(folder / "indices") == mode(folder / "indices" / "one") == 0o700
    assert mode(folder / "indices" / "one" / "meta.json") == 0o600
    assert mode(outside) == 0o644
    # only once: for others the folder is shut now
    assert not open_data_folder(folder)


def test_a_folder_whose_disk_is_read_only_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.access", lambda *_: False)
    with pytest.raises(NotConfigured) as failed:
        open_data_folder(tmp_path)
    assert "read-only" in failed.value.action


@pytest.mark.parametrize(
    ("number", "said"), [(errno.ENOSPC, "full"), (errno.EDQUOT, "full"), (errno.EROFS, "cannot be written")]
)
def test_an_error_of_the_disk_says_what_to_do(number: int, said: str) -> None:
    with pytest.raises(PlatformError, match=said), writing_data():
        raise OSError(number, "secret text")


def test_a_folder_that_cannot_be_created_says_what_to_set(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(NotConfigured) as failed:
        open_data_folder(tmp_path / "file" / "data")
    assert "TRAWL_DATA_DIR" in failed.value.action
