import shutil
import subprocess
from collections.abc import Callable

import pytest

from deploy.local import __main__ as command
from deploy.local import packages
from deploy.local.errors import LocalOpenSearchUnavailable


def test_without_arguments_one_node_runs_on_the_usual_port() -> None:
    chosen = command.build_parser().parse_args([])
    assert (chosen.command, chosen.port, chosen.nodes, chosen.heap) == ("run", 9200, 1, "512m")


def test_port_nodes_and_heap_are_given_by_name() -> None:
    chosen = command.build_parser().parse_args(["--port", "9300", "--nodes", "3", "--heap", "1g"])
    assert (chosen.command, chosen.port, chosen.nodes, chosen.heap) == ("run", 9300, 3, "1g")


def test_an_unknown_command_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        command.main(["fetch"])
    assert "install-packages" in capsys.readouterr().err


@pytest.fixture
def empty_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packages, "is_installed", lambda: False)


def without(*names: str) -> Callable[[str], str | None]:
    return lambda name: None if name in names else f"/usr/bin/{name}"


def test_nothing_is_installed_where_maven_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", without())
    monkeypatch.setattr(packages.subprocess, "run", lambda *_, **__: pytest.fail("ran a command"))
    assert command.main(["install-packages"]) == 0


def test_nothing_is_installed_where_the_cache_has_it_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", without("mvn"))
    monkeypatch.setattr(packages, "is_installed", lambda: True)
    assert packages.missing_packages() == []


@pytest.mark.usefixtures("empty_cache")
def test_as_root_the_missing_package_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    ran: list[list[str]] = []
    monkeypatch.setattr(shutil, "which", without("mvn"))
    monkeypatch.setattr(packages, "is_root", lambda: True)
    monkeypatch.setattr(packages.subprocess, "run", lambda arguments, **_: ran.append(arguments))
    assert command.main(["install-packages"]) == 0
    assert [arguments[0] for arguments in ran] == ["apt-get", "apt-get"]
    assert ran[0][-1] == "update"
    assert ran[1][-1] == "maven"


def test_the_library_that_lets_clocks_jump_is_installed_where_it_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", without("faketime"))
    assert packages.missing_packages() == ["faketime"]


@pytest.mark.usefixtures("empty_cache")
def test_an_apt_get_that_fails_is_told_apart_from_a_bug(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(arguments: list[str], **_: object) -> None:
        raise subprocess.CalledProcessError(100, arguments)

    monkeypatch.setattr(shutil, "which", without("mvn"))
    monkeypatch.setattr(packages, "is_root", lambda: True)
    monkeypatch.setattr(packages.subprocess, "run", fail)
    with pytest.raises(LocalOpenSearchUnavailable, match="could not install maven"):
        packages.install_packages()


@pytest.mark.usefixtures("empty_cache")
def test_others_are_told_what_to_install_and_may_go_on(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(shutil, "which", without("mvn"))
    monkeypatch.setattr(packages, "is_root", lambda: False)
    assert command.main(["install-packages"]) == 0
    assert "sudo apt-get install maven" in capsys.readouterr().err


@pytest.mark.usefixtures("empty_cache")
def test_a_system_without_apt_is_told_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", without("mvn", "apt-get"))
    with pytest.raises(LocalOpenSearchUnavailable, match="no apt-get"):
        packages.install_packages()
