import subprocess
import sys
from collections.abc import Mapping
from typing import Any

import click
import pytest
from click.testing import CliRunner, Result

from app.cli.main import COMMANDS, main
from tests.snapshots.commands import command_paths

PATHS = list(command_paths())
GROUPS = {("token",), ("team",), ("audit",), ("subject",)}
EXPORTS = {("audit", "export"), ("subject", "export")}
"""They print JSON lines."""
WITHOUT_RESULT = {("serve",), ("mcp",), ("worker",), ("completion",)} | GROUPS | EXPORTS


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments, prog_name="trawl")


def test_help_names_every_command() -> None:
    shown = run("--help")
    assert shown.exit_code == 0
    for name, meaning in COMMANDS.items():
        assert name in shown.output
        assert meaning in shown.output


@pytest.mark.parametrize("path", PATHS, ids=" ".join)
@pytest.mark.parametrize("option", ["-h", "--help"])
def test_every_command_has_help(path: tuple[str, ...], option: str) -> None:
    shown = run(*path, option)
    assert shown.exit_code == 0
    assert f"{' '.join(path)} [OPTIONS]" in shown.output


@pytest.mark.parametrize("path", [path for path in PATHS if path not in WITHOUT_RESULT], ids=" ".join)
def test_every_command_with_a_result_prints_it_as_json_if_asked(path: tuple[str, ...]) -> None:
    assert "--json" in run(*path, "-h").output


@pytest.mark.parametrize(
    "arguments",
    [
        ["swim"],
        ["search"],
        ["search", "x", "--limit", "0"],
        ["search", "x", "--limit", "-5"],
        ["search", "x", "--idnex", "y"],
        ["search", "x", "--limit", "51"],
        ["search", "x", "--citations", "--index", "default"],
        ["show"],
        ["show", "x", "--max-chars", "1"],
        ["rm"],
        ["cite", "x", "--format", "ris"],
        ["list", "x"],
        ["jobs", "--json", "show", "j_1"],
        ["connect"],
        ["login"],
        ["audit", "list", "--limit", "1001"],
        ["audit", "export", "--format", "xml"],
        ["subject", "erase"],
        ["team", "delete"],
        ["completion", "tcsh"],
        ["serve", "--port", "x"],
    ],
)
def test_wrong_usage_ends_with_exit_code_2(arguments: list[str]) -> None:
    assert run(*arguments).exit_code == 2


@pytest.fixture
def searched(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, Mapping[str, Any]]]:
    """What is asked of the service, which finds nothing."""
    calls = []

    def call(name: str, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
        calls.append((name, arguments))
        return {"success": True, "results": []}

    monkeypatch.setattr("app.cli.commands.report.call_operation", call)
    return calls


@pytest.mark.parametrize(
    ("arguments", "query"),
    [
        (["otter", "trawl"], "otter trawl"),
        (["otter trawl"], "otter trawl"),
        (["python", "-java"], "python -java"),
        (["-java", "python"], "-java python"),
        (["-heat", "-h2o"], "-heat -h2o"),
        (['-"side scan"', "+sonar"], '-"side scan" +sonar'),
        (["-"], "-"),
        (["--", "-h"], "-h"),
        (["x", "--", "--json"], "x --json"),
    ],
)
def test_all_words_are_the_query(
    searched: list[tuple[str, Mapping[str, Any]]], arguments: list[str], query: str
) -> None:
    assert run("search", "--json", *arguments).exit_code == 0
    assert [(name, asked["query"]) for name, asked in searched] == [("searchLocalArchives", query)]


def test_options_may_stand_between_the_words(searched: list[tuple[str, Mapping[str, Any]]]) -> None:
    run("search", "one", "--index", "notes", "-two", "--limit", "7", "--fuzzy", "three", "--json")
    assert searched == [("search_index", {"query": "one -two three", "index_name": "notes", "k": 7, "fuzzy": True})]


def test_help_imports_nothing_heavy() -> None:
    script = (
        "import sys; from app.cli.main import main; main(['--help'], standalone_mode=False); "
        "sys.exit(any(name in sys.modules for name in ('pydantic', 'fastapi', 'mcp', 'httpx', 'asyncio')))"
    )
    assert subprocess.run([sys.executable, "-c", script], check=False, capture_output=True).returncode == 0


def test_colours_are_off_where_the_environment_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    @click.command()
    def probe() -> None:
        click.echo(repr(click.get_current_context().color))

    monkeypatch.setattr(main, "get_command", lambda *_: probe)
    monkeypatch.setenv("NO_COLOR", "1")
    assert run("probe").output == "False\n"
    monkeypatch.setenv("NO_COLOR", "")
    assert run("probe").output == "None\n"
