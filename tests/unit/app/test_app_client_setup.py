"""`trawl connect`: what it prints is what each client reads."""

import json
import shlex
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from app.cli.main import main
from mcp_server.client_setup import CLIENT_SETUPS

ADDRESS = "http://127.0.0.1:8123/mcp"
TOKEN = "trawl_secret"
HEADERS = {"Authorization": f"Bearer {TOKEN}"}


@pytest.fixture
def connected(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A machine where no service runs and nobody is signed in, and that has one setting."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    for name in ("TRAWL_URL", "TRAWL_TOKEN", "TRAWL_AUTH", "TRAWL_OIDC_ISSUER"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TRAWL_DATA_DIR", str(tmp_path / "absent"))
    monkeypatch.setenv("TRAWL_PORT", "8123")
    monkeypatch.delenv("TRAWL_PUBLIC_URL", raising=False)
    monkeypatch.chdir(tmp_path)


def connect(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["connect", *arguments])


def block(client: str, token: str | None = None) -> str:
    return CLIENT_SETUPS[client].block(ADDRESS, token)


def test_claude_code_is_connected_by_a_command() -> None:
    command = ["claude", "mcp", "add", "--transport", "http", "trawl", ADDRESS]
    assert shlex.split(block("claude-code")) == command
    assert shlex.split(block("claude-code", TOKEN)) == [*command, "--header", f"Authorization: Bearer {TOKEN}"]


@pytest.mark.parametrize(("token", "headers"), [(None, {}), (TOKEN, {"headers": HEADERS})])
def test_cursor_and_vscode_read_json(token: str | None, headers: dict[str, object]) -> None:
    assert json.loads(block("cursor", token)) == {"mcpServers": {"trawl": {"url": ADDRESS, **headers}}}
    assert json.loads(block("vscode", token)) == {"servers": {"trawl": {"type": "http", "url": ADDRESS, **headers}}}


def test_claude_desktop_gets_the_token_by_an_environment_variable() -> None:
    server = {"command": "npx", "args": ["-y", "mcp-remote", ADDRESS]}
    assert json.loads(block("claude-desktop")) == {"mcpServers": {"trawl": server}}
    with_token = json.loads(block("claude-desktop", TOKEN))["mcpServers"]["trawl"]
    assert with_token["args"] == [*server["args"], "--header", "Authorization:${TRAWL_AUTHORIZATION}"]
    assert with_token["env"] == {"TRAWL_AUTHORIZATION": f"Bearer {TOKEN}"}


@pytest.mark.parametrize(("token", "headers"), [(None, {}), (TOKEN, {"http_headers": HEADERS})])
def test_codex_reads_toml(token: str | None, headers: dict[str, object]) -> None:
    assert tomllib.loads(block("codex", token)) == {"mcp_servers": {"trawl": {"url": ADDRESS, **headers}}}


@pytest.mark.usefixtures("connected")
@pytest.mark.parametrize("client", CLIENT_SETUPS)
def test_standard_output_holds_the_block_alone(client: str) -> None:
    shown = connect(client)
    assert shown.exit_code == 0
    assert shown.stdout == block(client) + "\n"
    assert CLIENT_SETUPS[client].instruction in shown.stderr
    assert "trawl serve" in shown.stderr


@pytest.mark.usefixtures("connected")
@pytest.mark.parametrize("client", [name for name, setup in CLIENT_SETUPS.items() if setup.takes_token])
def test_a_given_token_stands_in_the_block_and_nowhere_else(client: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRAWL_AUTH", "on")
    by_option = connect(client, "--token", TOKEN)
    monkeypatch.setenv("TRAWL_TOKEN", TOKEN)
    by_environment = connect(client)
    assert by_option.stdout == by_environment.stdout == block(client, TOKEN) + "\n"
    assert TOKEN not in by_option.stderr
    assert "trawl token create" not in by_option.stderr


@pytest.mark.usefixtures("connected")
@pytest.mark.parametrize("client", [name for name, setup in CLIENT_SETUPS.items() if setup.takes_token])
def test_where_tokens_are_needed_the_block_has_a_place_for_one(client: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRAWL_AUTH", "on")
    shown = connect(client)
    assert shown.stdout == block(client, "<token>") + "\n"
    assert "trawl token create --team TEAM --scopes search" in shown.stderr


@pytest.mark.usefixtures("connected")
@pytest.mark.parametrize("client", [name for name, setup in CLIENT_SETUPS.items() if setup.signs_in])
def test_where_people_sign_in_by_an_issuer_no_token_is_needed(client: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRAWL_AUTH", "on")
    monkeypatch.setenv("TRAWL_OIDC_ISSUER", "https://login.example.org")
    shown = connect(client)
    assert shown.stdout == block(client) + "\n"
    assert "opens the browser" in shown.stderr
    assert "trawl token create" not in shown.stderr


@pytest.mark.usefixtures("connected")
def test_plain_requests_need_a_token_also_where_people_sign_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRAWL_AUTH", "on")
    monkeypatch.setenv("TRAWL_OIDC_ISSUER", "https://login.example.org")
    shown = connect("http")
    assert shown.stdout == block("http", "<token>") + "\n"
    assert "trawl token create" in shown.stderr


@pytest.mark.parametrize("token", [None, TOKEN])
def test_plain_requests_list_the_tools_and_search(token: str | None) -> None:
    tools, search = (part.partition("\n")[2] for part in block("http", token).split("\n\n"))
    for command, address in ((tools, ADDRESS), (search, "http://127.0.0.1:8123/api/v1/search")):
        words = shlex.split(command.replace("\\\n", " "))
        assert words[:3] == ["curl", "-sS", address]
        assert (f"Authorization: Bearer {token}" in words) == (token is not None)
    assert json.loads(shlex.split(tools)[-1])["method"] == "tools/list"
    assert set(json.loads(shlex.split(search)[-1])) == {"query"}


@pytest.mark.usefixtures("connected")
def test_a_client_that_sends_no_token_needs_an_issuer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRAWL_AUTH", "on")
    shown = connect("chatgpt")
    assert "TRAWL_OIDC_ISSUER" in shown.stderr
    assert shown.stdout == f"{ADDRESS}\n"


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
    assert told["configuration"] == block("codex")


@pytest.mark.usefixtures("connected")
def test_an_unknown_client_is_a_usage_error_that_names_the_known_ones() -> None:
    shown = connect("emacs")
    assert shown.exit_code == 2
    assert all(client in shown.stderr for client in CLIENT_SETUPS)
