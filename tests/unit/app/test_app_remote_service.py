"""Which service commands use, and with which token."""

import json
import time
from pathlib import Path

import pytest

from app.auth.login import login
from app.auth.login.login_files import current_login, forget_current, login_path, make_current, make_folder
from app.cli.remote_service import RemoteService, remote_service
from indexer.errors import Authentication, NotConfigured

URL = "https://search.example.org"
OTHER = "https://other.example.org"


@pytest.fixture(autouse=True)
def nothing_of_this_machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    for name in ("TRAWL_URL", "TRAWL_TOKEN", "TRAWL_TEAM"):
        monkeypatch.delenv(name, raising=False)


def keep(url: str, token: str, *, expires_in: float | None = 3_600.0) -> None:
    """Keep a sign-in, with the fields that a command reads without its renewal."""
    make_folder()
    expires_at = None if expires_in is None else time.time() + expires_in
    login_path(url).write_text(json.dumps({"access_token": token, "expires_at": expires_at}))


def bearer(token: str) -> dict[str, str]:
    return {"authorization": f"Bearer {token}"}


def found() -> RemoteService:
    remote = remote_service()
    assert remote is not None
    return remote


def test_without_a_setting_and_a_sign_in_commands_use_this_machine() -> None:
    keep(URL, "kept")
    assert remote_service() is None


def test_the_setting_comes_before_the_sign_in_and_its_token_before_a_kept_one(monkeypatch: pytest.MonkeyPatch) -> None:
    keep(URL, "of the setting's address")
    keep(OTHER, "of the current address")
    make_current(OTHER)
    assert (found().url, found().is_named, found().headers()) == (OTHER, False, bearer("of the current address"))
    monkeypatch.setenv("TRAWL_URL", f"{URL}/")
    assert (found().url, found().is_named, found().headers()) == (URL, True, bearer("of the setting's address"))
    monkeypatch.setenv("TRAWL_TOKEN", "given")
    assert found().headers() == bearer("given")


def test_a_service_that_nobody_signed_in_to_is_called_without_a_token(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRAWL_URL", URL)
    assert found().headers() == {}
    assert "kept" not in repr(RemoteService(URL, is_named=True, token="kept"))


def test_the_token_of_the_setting_is_not_sent_to_another_service(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRAWL_TOKEN", "for another service")
    make_current(URL)
    assert found().headers() == {}


def test_a_chosen_team_is_named_in_each_request(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRAWL_TEAM", "blue")
    keep(URL, "kept", expires_in=None)
    make_current(URL)
    assert found().headers() == {**bearer("kept"), "trawl-team": "blue"}


@pytest.mark.parametrize("expires_in", [0.0, 20.0])
def test_a_token_that_expires_is_renewed(monkeypatch: pytest.MonkeyPatch, expires_in: float) -> None:
    keep(URL, "kept", expires_in=expires_in)
    make_current(URL)
    monkeypatch.setattr(login, "stored_token", lambda url: f"renewed for {url}")
    assert found().headers() == bearer(f"renewed for {URL}")


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"access_token": 5, "expires_at": null}', "\udcff"])
def test_a_damaged_file_is_no_sign_in(content: str) -> None:
    make_current(URL)
    login_path(URL).write_text(content, errors="surrogateescape")
    assert found().headers() == {}


def test_signing_out_of_another_service_leaves_the_current_one() -> None:
    make_current(URL)
    forget_current(OTHER)
    assert current_login() == URL
    forget_current(URL)
    assert current_login() is None


@pytest.mark.parametrize("url", ["search.example.org", "ftp://x", "http://", "http://x:port", "https://x?team=red"])
def test_a_setting_that_is_no_address_is_refused(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    monkeypatch.setenv("TRAWL_URL", url)
    with pytest.raises(NotConfigured, match="TRAWL_URL"):
        remote_service()


def test_a_refusal_says_what_a_user_of_commands_can_do() -> None:
    remote = RemoteService(URL, is_named=True)
    refused = remote.explained(401, {"success": False, "error": "The token is not valid", "details": {}})
    assert (refused["error"], refused["error_category"]) == ("The token is not valid", Authentication.category)
    assert f"`trawl login {URL}`" in refused["fix"]["required_action"]
    assert "TRAWL_TOKEN" in refused["fix"]["required_action"]
    answer = {"success": False, "error": "Choose one of your teams", "details": {"teams": ["blue", "red"]}}
    assert remote.explained(403, answer)["fix"]["required_action"] == "Set TRAWL_TEAM to one of: blue, red"
    missing = {"success": False, "error": "A scope is missing", "details": {}}
    assert remote.explained(403, missing) is missing
