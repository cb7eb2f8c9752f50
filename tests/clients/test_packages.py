"""The npm packages are exactly those of the lock, wherever they come from."""

import json
from pathlib import Path

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
