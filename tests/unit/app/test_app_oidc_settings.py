"""Settings of OpenID Connect: what is accepted, and how a mistake is explained."""

from pathlib import Path

import pytest

from app.settings import AppSettings
from indexer.environment import read_settings
from indexer.errors import NotConfigured


@pytest.fixture(autouse=True)
def no_settings_of_this_machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in AppSettings.model_fields:
        monkeypatch.delenv(f"TRAWL_{name.upper()}", raising=False)
    monkeypatch.chdir(tmp_path)


def test_the_defaults_are_those_of_the_contract() -> None:
    read = read_settings(AppSettings)
    assert (read.oidc_issuer, read.oidc_client_id, read.oidc_audience) == (None, None, ())
    assert (read.oidc_team_claim, read.oidc_scope_claim) == ("team", "scope")
    assert read.oidc_algorithms == ("RS256", "ES256", "EdDSA")


def test_the_public_url_and_its_mcp_endpoints_are_the_audiences(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRAWL_PUBLIC_URL", "https://search.example.org/")
    base = "https://search.example.org"
    assert read_settings(AppSettings).audiences == (base, f"{base}/", f"{base}/mcp", f"{base}/mcp/read")
    monkeypatch.setenv("TRAWL_OIDC_AUDIENCE", "api://trawl, trawl")
    assert read_settings(AppSettings).audiences == ("api://trawl", "trawl")


@pytest.mark.parametrize(
    "issuer",
    [
        "https://login.example.org",
        "https://login.example.org/",
        "https://login.example.org:8443/realms/Main/",
        "http://127.0.0.1:9000",
        "http://localhost:9000/x",
        "http://[::1]:9000",
    ],
)
def test_an_issuer_is_kept_character_by_character(monkeypatch: pytest.MonkeyPatch, issuer: str) -> None:
    monkeypatch.setenv("TRAWL_OIDC_ISSUER", issuer)
    assert read_settings(AppSettings).oidc_issuer == issuer


@pytest.mark.parametrize(
    "issuer",
    [
        "http://login.example.org",
        "http://127.0.0.1.example.org",
        "http://127.0.0.1@login.example.org",
        "https://user:secret@login.example.org",
        "https://login.example.org?tenant=1",
        "https://login.example.org#part",
        " https://login.example.org",
        "login.example.org",
        "ftp://127.0.0.1",
        "https://",
        "https://[::1",
    ],
)
def test_an_issuer_that_others_could_speak_for_is_refused(monkeypatch: pytest.MonkeyPatch, issuer: str) -> None:
    monkeypatch.setenv("TRAWL_OIDC_ISSUER", issuer)
    with pytest.raises(NotConfigured, match=r"TRAWL_OIDC_ISSUER: .* give the issuer's") as refused:
        read_settings(AppSettings)
    assert "example.org" not in refused.value.message


@pytest.mark.parametrize("algorithms", ["none", "HS256", "RS256,HS512", "rs256", "NONE,ES256", "ES256K", ","])
def test_unsigned_tokens_and_shared_keys_are_refused_as_settings(
    monkeypatch: pytest.MonkeyPatch, algorithms: str
) -> None:
    monkeypatch.setenv("TRAWL_OIDC_ALGORITHMS", algorithms)
    with pytest.raises(NotConfigured, match="TRAWL_OIDC_ALGORITHMS"):
        read_settings(AppSettings)


def test_other_signatures_by_a_key_pair_can_be_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRAWL_OIDC_ALGORITHMS", "PS256, ES512")
    assert read_settings(AppSettings).oidc_algorithms == ("PS256", "ES512")


def test_the_file_of_the_issuers_authority_must_exist(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TRAWL_OIDC_CA", str(tmp_path / "missing.pem"))
    with pytest.raises(NotConfigured, match="TRAWL_OIDC_CA"):
        read_settings(AppSettings)
