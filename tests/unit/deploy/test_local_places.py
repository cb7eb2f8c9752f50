import os
import tempfile
from pathlib import Path

import pytest

from deploy.local import places, ports
from deploy.local.places import cache_root, new_node_folder, reachable_by_others
from deploy.local.ports import take_ports


def test_a_folder_under_a_closed_one_is_not_reachable_by_others(tmp_path: Path) -> None:
    inside = tmp_path / "closed" / "inside"
    inside.mkdir(parents=True)
    inside.chmod(0o755)
    inside.parent.chmod(0o700)
    assert not reachable_by_others(inside)


def test_the_root_folder_is_reachable_by_others() -> None:
    assert reachable_by_others(Path("/"))


def test_the_cache_is_where_the_setting_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(places, "is_root", lambda: False)
    assert cache_root({"TRAWL_CACHE_DIR": str(tmp_path / "cache")}) == (tmp_path / "cache").resolve()
    assert (tmp_path / "cache").is_dir()


def test_as_root_a_cache_that_the_nodes_user_cannot_reach_is_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "closed").mkdir(mode=0o700)
    monkeypatch.setattr(places, "is_root", lambda: True)
    monkeypatch.setattr(places, "_candidates", lambda _environ: [tmp_path / "closed" / "cache", tmp_path / "open"])
    monkeypatch.setattr(places, "reachable_by_others", lambda path: "closed" not in path.parts)
    assert cache_root({}) == (tmp_path / "open").resolve()


def test_a_cache_that_cannot_be_made_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setattr(places, "is_root", lambda: False)
    monkeypatch.setattr(places, "_candidates", lambda _environ: [tmp_path / "file" / "cache", tmp_path / "open"])
    assert cache_root({}) == (tmp_path / "open").resolve()


def test_a_nodes_folder_is_ours_alone_until_handed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(places, "is_root", lambda: False)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    folder = new_node_folder()
    assert folder.parent == tmp_path.resolve()
    assert folder.stat().st_mode & 0o077 == 0
    assert folder.stat().st_uid == os.geteuid()


def test_no_port_is_given_twice_in_a_row(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ports, "cache_root", lambda: tmp_path)
    first, second = take_ports(3), take_ports(3)
    assert len({*first, *second}) == 6


def test_ports_begin_anew_at_the_end_of_the_range(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ports, "cache_root", lambda: tmp_path)
    monkeypatch.setattr(ports, "_is_free", lambda _port: True)
    (tmp_path / "next-port").write_text(str(ports.LAST_PORT - 1), encoding="ascii")
    assert take_ports(2) == [ports.LAST_PORT - 1, ports.FIRST_PORT]


def test_a_port_in_use_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ports, "cache_root", lambda: tmp_path)
    monkeypatch.setattr(ports, "_is_free", lambda port: port != ports.FIRST_PORT)
    assert take_ports(1) == [ports.FIRST_PORT + 1]
