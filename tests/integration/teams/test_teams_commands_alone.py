"""Commands of the operator where no service runs: they open the store themselves."""

import json
import sqlite3
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from app.cli.main import main
from tests.service import environment

MAKE_TOKEN = ("token", "create", "--team", "geo", "--scopes", "search")


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine without data."""
    for name in ("TRAWL_ENGINE", "TRAWL_OPENSEARCH_URL", "TRAWL_SECRET_KEY", "TRAWL_CONNECTIONS"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment(tmp_path).items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*arguments: str, typed: str | None = None) -> Result:
    return CliRunner().invoke(main, arguments, input=typed)


@pytest.mark.parametrize("command", ["token list", "team list", "audit list", "audit verify", "subject export ann"])
def test_a_command_that_finds_no_data_says_so_and_creates_nothing(machine: Path, command: str) -> None:
    shown = run(*command.split())
    assert shown.exit_code == 1
    assert "There is no data in" in shown.stderr
    assert not (machine / "data").exists()


@pytest.mark.parametrize(("typed", "code"), [("geo\n", 0), ("goe\n", 1), ("", 1)])
def test_the_name_is_asked_for_and_no_service_is_needed(typed: str, code: int, machine: Path) -> None:
    assert run("team", "list").exit_code == 1
    assert not (machine / "data").exists()
    assert run(*MAKE_TOKEN).exit_code == 0
    deleted = run("team", "delete", "geo", typed=typed)
    assert deleted.exit_code == code
    assert (deleted.stdout == "Team geo is deleted: tokens 1\n") is (code == 0)
    assert ("geo" in run("team", "list").stdout) is (code == 1)


def test_a_changed_record_is_found_by_verifying(machine: Path) -> None:
    assert run(*MAKE_TOKEN).exit_code == 0
    whole = run("audit", "verify")
    assert (whole.exit_code, whole.stdout) == (0, "The audit trail is whole: 2 entries in 1 chain\n")
    database = sqlite3.connect(machine / "data" / "audit.sqlite3")
    (table,) = next(database.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE '%outcome%'"))
    database.execute(f"UPDATE {table} SET outcome = 'not_found' WHERE outcome = 'ok'")
    database.commit()
    database.close()
    damaged = run("audit", "verify", "--json")
    (place,) = json.loads(damaged.stdout)["damage"]
    assert (damaged.exit_code, json.loads(damaged.stdout)["success"], place["number"]) == (1, False, 2)
    shown = run("audit", "verify")
    assert (shown.exit_code, shown.stdout) == (1, "The audit trail is damaged in 1 place; intact: 1 entry in 1 chain\n")
    assert shown.stderr == f"Chain {place['chain']}, entry 2: {place['problem']}\n"


def test_arguments_are_checked_before_anything_is_opened(machine: Path) -> None:
    shown = run(*MAKE_TOKEN, "--name", "x" * 101)
    assert shown.exit_code == 1
    assert "Wrong arguments: name" in shown.stderr
    assert not (machine / "data").exists()
