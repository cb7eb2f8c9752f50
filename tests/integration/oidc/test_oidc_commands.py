"""`trawl login` and `trawl logout` as a user runs them, against a certified provider and a running service."""

import json
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from app.auth.login.login_files import current_login
from app.auth.login.stored_login import read_login, write_login
from app.cli.main import main
from tests.integration.oidc.browser import BrowserThread
from tests.integration.oidc.provider import OidcProvider
from tests.service import Service, environment, trawl, wait_until

pytestmark = pytest.mark.xdist_group("oidc")


@pytest.fixture(autouse=True)
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Another machine, for commands in this process and in others."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    for name in ("TRAWL_URL", "TRAWL_TOKEN", "TRAWL_TEAM"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


def sign_in(url: str, monkeypatch: pytest.MonkeyPatch, *options: str, who: str = "ann") -> Result:
    browser = BrowserThread({"login": who, "password": "any"})

    def open_(address: str) -> bool:
        browser.open(address)
        return True

    monkeypatch.setattr("webbrowser.open", open_)
    result = CliRunner().invoke(main, ["login", url, *options])
    browser.wait()
    return result


def command(folder: Path, *arguments: str, env: Mapping[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    return trawl(*arguments, folder=folder, env=env)


def test_after_signing_in_commands_use_that_service_until_signing_out(
    service: Service, machine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    signed_in = sign_in(f"{service.url}/", monkeypatch)
    assert signed_in.exit_code == 0, signed_in.output
    assert signed_in.stdout.startswith(f"Signed in to {service.url} as ann, team red, search")
    (machine / "notes").mkdir()
    (machine / "notes" / "a.md").write_text("# A walrus\n")
    ingested = command(machine, "ingest", "notes", "--wait", env={"TRAWL_INGEST_ROOTS": str(machine)})
    assert ingested.returncode == 0, ingested.stderr
    found = json.loads(command(machine, "list", "--json").stdout)
    assert [document["title"] for document in found["documents"]] == ["A walrus"]
    status = command(machine, "status").stdout
    assert f"service    {service.url}, signed in by `trawl login`" in status
    assert str(machine / "data") not in status
    out = CliRunner().invoke(main, ["logout"])
    assert (out.exit_code, out.stdout) == (0, f"Signed out of {service.url}\n")
    assert not [path for path in (machine / "config").rglob("*") if path.is_file() and path.suffix != ".lock"]
    assert "There is no data in" in command(machine, "search", "walrus").stderr
    assert CliRunner().invoke(main, ["logout"]).exit_code == 1


def test_the_address_is_printed_where_no_browser_is_to_be_opened(service: Service, machine: Path) -> None:
    command = [sys.executable, "-m", "app", "login", service.url, "--no-browser", "--scopes", "search", "--json"]
    process = subprocess.Popen(
        command, cwd=machine, env=environment(machine), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stderr is not None
    lines = iter(process.stderr.readline, "")
    address = next(line for line in lines if line.startswith("http")).strip()
    browser = BrowserThread({"login": "ann", "password": "any"})
    browser.open(address)
    shown, _ = process.communicate(timeout=60)
    browser.wait()
    assert process.returncode == 0
    assert json.loads(shown) == {
        "success": True,
        "url": service.url,
        "subject": "ann",
        "team": "red",
        "teams": ["red"],
        "scopes": ["search"],
    }
    assert read_login(service.url) is not None


def test_the_address_is_printed_where_no_browser_can_be_opened(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = BrowserThread({"login": "ann", "password": "any"})

    def cannot_open(address: str) -> bool:
        opened.open(address)
        return False

    monkeypatch.setattr("webbrowser.open", cannot_open)
    shown = CliRunner().invoke(main, ["login", service.url])
    opened.wait()
    assert shown.exit_code == 0
    assert f"browser on this machine:\n{opened.address}\n" in shown.stderr


def test_a_command_renews_an_expired_token_and_says_so_if_it_cannot(
    service: Service, machine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sign_in(service.url, monkeypatch)
    kept = read_login(service.url)
    assert kept is not None
    write_login(replace(kept, expires_at=0.0))
    assert command(machine, "indices").returncode == 0
    renewed = read_login(service.url)
    assert renewed is not None
    assert renewed.access_token != kept.access_token
    write_login(replace(renewed, expires_at=0.0, refresh_token=None))
    refused = command(machine, "indices")
    assert refused.returncode == 1
    assert f"`trawl login {service.url}`" in refused.stderr


def test_a_refused_token_leads_to_the_sign_in(service: Service, machine: Path) -> None:
    for token in ({}, {"TRAWL_TOKEN": "trawl_wrong"}):
        refused = command(machine, "search", "walrus", env={"TRAWL_URL": service.url, **token})
        assert refused.returncode == 1
        assert f"`trawl login {service.url}`, or set TRAWL_TOKEN" in refused.stderr
    sent = machine / "a.md"
    sent.write_text("# A walrus\n")
    uploaded = command(machine, "ingest", str(sent), env={"TRAWL_URL": service.url})
    assert uploaded.returncode == 1
    assert "TRAWL_TOKEN" in uploaded.stderr


def test_who_is_in_several_teams_chooses_one(service: Service, machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    undecided = sign_in(service.url, monkeypatch, who="ben")
    assert undecided.exit_code == 1
    assert "Set TRAWL_TEAM to one of: red, blue" in undecided.stderr
    assert current_login() == service.url
    assert command(machine, "indices").returncode == 1
    assert command(machine, "indices", env={"TRAWL_TEAM": "blue"}).returncode == 0


def test_a_denied_subject_is_refused_until_it_is_allowed_again(
    service: Service, provider: OidcProvider, machine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def on_host(*arguments: str) -> subprocess.CompletedProcess[str]:
        return trawl("subject", *arguments, folder=service.folder, env={"TRAWL_OIDC_ISSUER": provider.issuer})

    sign_in(service.url, monkeypatch)
    denied = json.loads(on_host("deny", "ann", "--for", "1h", "--json").stdout)
    assert (denied["status"], denied["subject"], denied["issuer"]) == ("denied", "ann", provider.issuer)
    wait_until(lambda: command(machine, "indices").returncode == 1, "ann is refused", 10)
    listed = json.loads(on_host("denied", "--json").stdout)["denied"]
    assert [(each["subject"], each["key"]) for each in listed] == [("ann", denied["key"])]
    assert "ann" in on_host("denied").stdout
    assert on_host("allow", "ann").returncode == 0
    assert on_host("allow", "ann").returncode == 1
    wait_until(lambda: command(machine, "indices").returncode == 0, "ann is accepted", 10)
    trail = trawl("audit", "list", "--operation", "subject_deny", "--json", folder=service.folder)
    (record,) = json.loads(trail.stdout)["records"]
    by_command = trawl("audit", "list", "--operation", "search_list_indices", "--json", folder=service.folder)
    assert json.loads(by_command.stdout)["records"][0]["client"] == "trawl"
    assert (record["object"], record["outcome"], record["team"]) == (denied["key"], "ok", "")


def test_a_failed_sign_in_changes_nothing(machine: Path) -> None:
    shown = CliRunner().invoke(main, ["login", "http://search.example.org", "--json"])
    assert (shown.exit_code, json.loads(shown.stdout)["error_category"]) == (1, "validation")
    assert current_login() is None
    assert not (machine / "config").exists()
