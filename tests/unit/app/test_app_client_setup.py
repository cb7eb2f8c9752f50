"""`trawl connect`: what it prints is what each client reads."""

import json
import shlex
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from app.cli.client_setup import CLIENT_SETUPS
from app.cli.main import main

ADDRESS = "http://127.0.0.1:8123/mcp"


@pytest.fixture
def connected(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A machine where no service runs, and that has one setting."""
    monkeypatch.setenv("TRAWL_DATA_DIR", str(tmp_path / "absent"))
    monkeypatch.setenv("TRAWL_PORT", "8123")
    monkeypatch.delenv("TRAWL_PUBLIC_URL", raising=False)
    monkeypatch.chdir(tmp_path)


def connect(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["connect", *arguments])


def test_claude_code_is_connected_by_a_command() -> None:
    command = shlex.split(CLIENT_SETUPS["claude-code"].block(ADDRESS))
    assert command == ["claude", "mcp", "add", "--transport", "http", "trawl", ADDRESS]


def test_cursor_and_vscode_and_claude_desktop_read_json() -> None:
    blocks = {name: json.loads(CLIENT_SETUPS[name].block(ADDRESS)) for name in ("cursor", "vscode", "claude-desktop")}
    assert blocks["cursor"] == {"mcpServers": {"trawl": {"url": ADDRESS}}}
    assert blocks["vscode"] == {"servers": {"trawl": {"type": "http", "url": ADDRESS}}}
    assert blocks["claude-desktop"] == {
        "mcpServers": {"trawl": {"command": "npx", "args": ["-y", "mcp-remote", ADDRESS]}}
    }


def test_codex_reads_toml() -> None:
    assert tomllib.loads(CLIENT_SETUPS["codex"].block(ADDRESS)) == {"mcp_servers": {"trawl": {"url": ADDRESS}}}


@pytest.mark.usefixtures("connected")
@pytest.mark.parametrize("client", CLIENT_SETUPS)
def test_standard_output_holds_the_block_alone(client: str) -> None:
    shown = connect(client)
    assert shown.exit_code == 0
    assert shown.stdout == CLIENT_SETUPS[client].block(ADDRESS) + "\n"
    assert CLIENT_SETUPS[client].instruction in shown.stderr
    assert "trawl serve" in shown.stderr


@pytest.mark.usefixtures("connected")
def test_a_client_that_runs_elsewhere_needs_a_public_address(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "TRAWL_PUBLIC_URL" in connect("chatgpt").stderr
    monkeypatch.setenv("TRAWL_PUBLIC_URL", "https://search.example.org/")
    public = connect("chatgpt")
    assert "TRAWL_PUBLIC_URL" not in public.stderr
    assert public.stdout == "https://search.example.org/mcp\n"


@pytest.mark.usefixtures("connected")
def test_as_json_it_is_one_object() -> None:
    told = json.loads(connect("codex", "--json").stdout)
    assert (told["success"], told["client"], told["url"]) == (True, "codex", ADDRESS)
    assert told["configuration"] == CLIENT_SETUPS["codex"].block(ADDRESS)


@pytest.mark.usefixtures("connected")
def test_an_unknown_client_is_a_usage_error_that_names_the_known_ones() -> None:
    shown = connect("emacs")
    assert shown.exit_code == 2
    assert all(client in shown.stderr for client in CLIENT_SETUPS)
