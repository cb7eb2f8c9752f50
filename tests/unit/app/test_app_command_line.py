import subprocess
import sys

import pytest
from click.testing import CliRunner

from app.cli.main import COMMANDS, main


def test_help_names_every_command() -> None:
    shown = CliRunner().invoke(main, ["--help"])
    assert shown.exit_code == 0
    for name, meaning in COMMANDS.items():
        assert name in shown.output
        assert meaning in shown.output


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help(name: str) -> None:
    shown = CliRunner().invoke(main, [name, "--help"])
    assert shown.exit_code == 0
    assert f"{name} [OPTIONS]" in shown.output


@pytest.mark.parametrize(
    "arguments",
    [
        ["swim"],
        ["search"],
        ["search", "x", "--limit", "0"],
        ["search", "x", "--idnex", "y"],
        ["serve", "--port", "x"],
    ],
)
def test_wrong_usage_ends_with_exit_code_2(arguments: list[str]) -> None:
    assert CliRunner().invoke(main, arguments).exit_code == 2


def test_help_imports_nothing_heavy() -> None:
    script = (
        "import sys; from app.cli.main import main; main(['--help'], standalone_mode=False); "
        "sys.exit(any(name in sys.modules for name in ('pydantic', 'fastapi', 'mcp', 'httpx', 'asyncio')))"
    )
    assert subprocess.run([sys.executable, "-c", script], check=False, capture_output=True).returncode == 0
