from pathlib import Path

import pytest

from deploy.local import java as java_module
from deploy.local.errors import LocalOpenSearchUnavailable
from deploy.local.java import Java, find_java, read_java


def make_java(home: Path, version: str, modules: str = "java.base") -> Path:
    (home / "bin").mkdir(parents=True)
    (home / "bin" / "java").touch()
    (home / "release").write_text(f'IMPLEMENTOR="Somebody"\nJAVA_VERSION="{version}"\nMODULES="{modules}"\n')
    return home


@pytest.fixture(autouse=True)
def leave_homes_where_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(java_module, "is_root", lambda: False)


@pytest.mark.parametrize(("text", "main"), [("25.0.2", 25), ("21", 21), ("17.0.15", 17), ("1.8.0_402", 8)])
def test_the_main_version_is_read_from_the_release_file(tmp_path: Path, text: str, main: int) -> None:
    described = read_java(make_java(tmp_path / "jdk", text))
    assert described is not None
    assert described.version == main


def test_a_folder_without_a_java_is_no_java(tmp_path: Path) -> None:
    assert read_java(tmp_path) is None


def test_a_java_without_a_version_is_passed_over(tmp_path: Path) -> None:
    assert read_java(make_java(tmp_path / "jdk", "")) is None


def test_modules_tell_whether_the_vector_module_is_there(tmp_path: Path) -> None:
    small = read_java(make_java(tmp_path / "small", "25", "java.base java.xml"))
    whole = read_java(make_java(tmp_path / "whole", "25", "java.base jdk.incubator.vector"))
    assert small is not None
    assert whole is not None
    assert not small.has_module("jdk.incubator.vector")
    assert whole.has_module("jdk.incubator.vector")


def test_a_java_that_lists_no_modules_counts_as_complete() -> None:
    assert Java(Path("/anywhere"), 21, frozenset()).has_module("jdk.incubator.vector")


def test_the_setting_for_opensearch_comes_before_the_common_one(tmp_path: Path) -> None:
    first, second = make_java(tmp_path / "a", "21"), make_java(tmp_path / "b", "25")
    environ = {"OPENSEARCH_JAVA_HOME": str(first), "JAVA_HOME": str(second)}
    assert find_java(environ, tmp_path / "none").home == first


def test_a_java_that_is_too_old_is_passed_over_for_an_installed_newer_one(tmp_path: Path) -> None:
    old = make_java(tmp_path / "set" / "java-17", "17.0.15")
    make_java(tmp_path / "jvm" / "java-17", "17.0.15")
    new = make_java(tmp_path / "jvm" / "java-25", "25.0.3")
    assert find_java({"JAVA_HOME": str(old)}, tmp_path / "jvm").home == new


def test_the_wheel_is_used_when_nothing_is_installed(tmp_path: Path) -> None:
    found = find_java({}, tmp_path / "none")
    assert found.home.name == "java-runtime"
    assert found.version >= 21


def test_no_java_at_all_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(java_module.importlib.util, "find_spec", lambda _name: None)
    with pytest.raises(LocalOpenSearchUnavailable, match="OPENSEARCH_JAVA_HOME"):
        find_java({}, tmp_path / "none")


def test_a_java_that_only_root_can_reach_is_copied_to_the_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = make_java(tmp_path / "closed" / "jdk", "21.0.1")
    monkeypatch.setattr(java_module, "is_root", lambda: True)
    monkeypatch.setattr(java_module, "reachable_by_others", lambda _path: False)
    monkeypatch.setattr(java_module, "cache_root", lambda: tmp_path)
    found = find_java({"JAVA_HOME": str(home)}, tmp_path / "none")
    assert found.home == tmp_path / "java-21"
    assert (found.home / "bin" / "java").is_file()
