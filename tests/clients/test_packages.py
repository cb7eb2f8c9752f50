"""The npm packages are exactly those of the lock, wherever they come from."""

import json
from pathlib import Path

import pytest

from tests.clients import packages

FOLDER = Path(__file__).parent


def test_each_locked_package_is_known_by_its_hash_and_not_by_an_address() -> None:
    lock = json.loads((FOLDER / "package-lock.json").read_text(encoding="utf-8"))
    packages = {name: package for name, package in lock["packages"].items() if name}
    assert packages
    assert [name for name, package in packages.items() if not package.get("integrity", "").startswith("sha512-")] == []
    assert [name for name, package in packages.items() if "resolved" in package] == []


def test_each_package_is_asked_for_in_one_version() -> None:
    asked = json.loads((FOLDER / "package.json").read_text(encoding="utf-8"))["dependencies"]
    assert [version for version in asked.values() if not version[0].isdigit()] == []


def test_a_failed_installation_says_why_and_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("npm_config_offline", "true")
    monkeypatch.setenv("npm_config_cache", str(tmp_path / "empty"))
    root = tmp_path / "root"
    root.mkdir()
    monkeypatch.setattr(packages, "cache_root", lambda: root)
    with pytest.raises(packages.PackagesUnavailable, match="ENOTCACHED"):
        packages.installed_packages()
    assert [path.suffix for path in root.iterdir()] == [".lock"]
