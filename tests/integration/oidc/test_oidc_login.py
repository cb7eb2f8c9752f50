"""`trawl login`: the whole flow by code and PKCE against a certified provider and a running service."""

import base64
import hashlib
import stat
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from threading import Thread
from urllib.parse import parse_qsl, urlsplit

import httpx
import pytest

from app.auth.login.login import login, logout, stored_token
from app.auth.login.stored_login import read_login, write_login
from deploy.local.ports import take_ports
from indexer.errors import Authentication, Invalid, NotConfigured, Unavailable
from tests.integration.oidc.browser import BrowserThread, sign_in
from tests.integration.oidc.provider import OidcProvider
from tests.service import Service, run_service

pytestmark = pytest.mark.xdist_group("oidc")


@pytest.fixture(autouse=True)
def config_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("HOME", str(tmp_path))
    return tmp_path / "config" / "trawl"


def person(spoil: Callable[[str], str] = lambda answer: answer) -> BrowserThread:
    return BrowserThread({"login": "ann", "password": "any"}, spoil)


def me(url: str, token: str | None) -> httpx.Response:
    return httpx.get(f"{url}/api/v1/me", headers={"authorization": f"Bearer {token}"}, trust_env=False)


def test_a_person_signs_in_and_the_token_is_kept_for_its_owner_alone(service: Service, config_folder: Path) -> None:
    ann = person()
    signed_in = login(f"{service.url}/", ann.open)
    ann.wait()
    assert ann.responses == [200]
    asked = dict(parse_qsl(urlsplit(ann.address).query))
    assert (asked["response_type"], asked["code_challenge_method"], asked["resource"]) == ("code", "S256", service.url)
    assert urlsplit(asked["redirect_uri"]).hostname == "127.0.0.1"
    assert {"search", "admin", "offline_access"} <= set(asked["scope"].split())
    answer = me(service.url, stored_token(service.url)).json()
    assert (answer["subject"], answer["team"]) == ("ann", "red")
    assert set(answer["scopes"]) == {"search", "write", "ingest", "osdu", "quilt", "web", "admin"}
    files = [path for path in config_folder.rglob("*") if path.is_file()]
    assert len(files) == 1
    assert stat.S_IMODE(files[0].stat().st_mode) == 0o600
    assert stat.S_IMODE(files[0].parent.stat().st_mode) == 0o700
    assert signed_in.access_token not in repr(signed_in)


def test_an_expired_token_is_renewed(service: Service) -> None:
    ann = person()
    signed_in = login(service.url, ann.open, scopes=["search"])
    assert stored_token(service.url) == signed_in.access_token
    write_login(replace(signed_in, expires_at=0.0))
    renewed = stored_token(service.url)
    assert renewed != signed_in.access_token
    assert me(service.url, renewed).json()["scopes"] == ["search"]
    assert stored_token(service.url) == renewed


def test_after_signing_out_nothing_is_kept_and_the_issuer_renews_nothing(service: Service, config_folder: Path) -> None:
    signed_in = login(service.url, person().open)
    assert logout(service.url)
    assert not logout(service.url)
    assert stored_token(service.url) is None
    assert not list(config_folder.rglob("*.json"))
    write_login(replace(signed_in, expires_at=0.0))
    with pytest.raises(Authentication, match="has expired") as expired:
        stored_token(service.url)
    assert expired.value.command == f"trawl login {service.url}"


def test_an_answer_with_another_state_is_not_taken(service: Service) -> None:
    ann = person(lambda answer: answer.replace("state=", "state=x"))
    login(service.url, ann.open)
    ann.wait()
    assert ann.responses == [400, 200]


def test_an_answer_of_another_issuer_is_refused(service: Service) -> None:
    ann = person(lambda answer: answer.replace("iss=http", "iss=https"))
    with pytest.raises(Authentication, match="another sign-in service"):
        login(service.url, ann.open)
    ann.wait()
    assert read_login(service.url) is None


def test_a_refused_sign_in_says_why(service: Service) -> None:
    def refuse(address: str) -> None:
        asked = dict(parse_qsl(urlsplit(address).query))
        target = f"{asked['redirect_uri']}?error=access_denied&state={asked['state']}&iss={read_issuer(service)}"
        Thread(target=httpx.get, args=[target], kwargs={"trust_env": False}).start()

    with pytest.raises(Authentication) as refused:
        login(service.url, refuse)
    assert refused.value.details == {"reason": "access_denied"}


def test_a_code_is_of_no_use_without_its_proof(service: Service, provider: OidcProvider) -> None:
    challenge = base64.urlsafe_b64encode(hashlib.sha256(b"v" * 43).digest()).decode().rstrip("=")
    asked = {
        "response_type": "code",
        "client_id": "trawl",
        "redirect_uri": "http://127.0.0.1:1/callback",
        "scope": "search",
        "code_challenge": challenge,
        "code_challenge_method": "S256",
        "resource": service.url,
    }
    address = str(httpx.URL(f"{provider.issuer}/auth", params=asked))
    answer = sign_in(address, stop_at=asked["redirect_uri"], fill={"login": "ann", "password": "any"})
    code = dict(parse_qsl(urlsplit(answer).query))["code"]
    form = {"grant_type": "authorization_code", "code": code, "redirect_uri": asked["redirect_uri"]}
    form |= {"client_id": "trawl", "code_verifier": "w" * 43, "resource": service.url}
    assert httpx.post(f"{provider.issuer}/token", data=form, trust_env=False).status_code == 400


def test_a_service_under_another_address_gets_no_token(service: Service) -> None:
    other = service.url.replace("127.0.0.1", "localhost")
    with pytest.raises(Invalid, match="goes by another address"):
        login(other, person().open)


@pytest.mark.parametrize("url", ["http://search.example.org", "ftp://127.0.0.1", "127.0.0.1:8000", "", "https://"])
def test_tokens_travel_by_tls_or_on_this_machine_alone(url: str) -> None:
    with pytest.raises(Invalid, match="no address to sign in to"):
        login(url, person().open)


def test_a_service_without_an_issuer_says_that_it_takes_tokens_alone(tmp_path: Path) -> None:
    port = str(take_ports(1)[0])
    with (
        run_service(tmp_path, env={"TRAWL_AUTH": "on", "TRAWL_PORT": port}) as service,
        pytest.raises(NotConfigured, match="Nobody can sign in") as failed,
    ):
        login(service.url, person().open)
    assert "TRAWL_TOKEN" in failed.value.action
    with pytest.raises(Unavailable, match="gave no answer"):
        login(service.url, person().open)


def read_issuer(service: Service) -> str:
    document = httpx.get(f"{service.url}/.well-known/oauth-protected-resource", trust_env=False).json()
    issuer: str = document["authorization_servers"][0]
    return issuer
