"""The whole way with a real Keycloak: people and programs sign in, and Trawl takes their teams and scopes from it."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import httpx
import pytest
from mcp.shared.auth import OAuthClientInformationFull

from app.auth.login.login import login, logout, stored_token
from app.auth.login.stored_login import write_login
from deploy.local.errors import LocalOpenSearchUnavailable
from deploy.local.ports import take_ports
from indexer.bootstrap import open_library
from indexer.errors import Authentication
from indexer.settings import IndexerSettings
from mcp_server.access.denied_subjects import DeniedSubjects
from tests.clients.oauth_client import REDIRECT, Memory, Person, connected
from tests.deploy.keycloak import running_keycloak
from tests.deploy.realm import PASSWORD, Realm
from tests.integration.oidc.browser import BrowserThread
from tests.service import Service, run_service, wait_until
from tests.services import missing

pytestmark = [pytest.mark.xdist_group("keycloak"), pytest.mark.timeout(1200)]

PORT = take_ports(1)[0]
URL = f"http://127.0.0.1:{PORT}"
ANN = {"username": "ann", "password": PASSWORD}


@pytest.fixture(scope="module")
def realm(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Realm]:
    try:
        with running_keycloak(tmp_path_factory.mktemp("keycloak")) as url:
            realm = Realm(url, URL)
            yield realm
            realm.close()
    except LocalOpenSearchUnavailable as error:
        missing(str(error))


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory, realm: Realm) -> Iterator[Service]:
    settings = {"TRAWL_OIDC_ISSUER": realm.issuer, "TRAWL_OIDC_CLIENT_ID": "trawl"}
    env = {"TRAWL_AUTH": "on", "TRAWL_PORT": str(PORT), **settings}
    with run_service(tmp_path_factory.mktemp("service"), env=env) as service:
        yield service


@pytest.fixture(autouse=True)
def config_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))


def me(service: Service, token: str | None, **headers: str) -> httpx.Response:
    sent = {"authorization": f"Bearer {token}", **headers}
    return httpx.get(f"{service.url}/api/v1/me", headers=sent, trust_env=False, timeout=60)


@pytest.mark.parametrize("mode", ["2026-07-28", "legacy"])
async def test_the_official_client_signs_in_and_asks_for_more_scopes(service: Service, realm: Realm, mode: str) -> None:
    memory, person = Memory(), Person(ANN)
    memory.client = OAuthClientInformationFull(
        client_id="trawl", redirect_uris=[REDIRECT], token_endpoint_auth_method="none", issuer=realm.issuer
    )
    async with connected(f"{service.url}/mcp", memory, person, mode) as client:
        assert "search_add_document" not in {tool.name for tool in (await client.list_tools()).tools}
        added = await client.call_tool("search_add_document", {"doc_id": mode, "content": "a reef"})
        assert added.structured_content["success"] is True
        found = await client.call_tool("search_index", {"query": "reef"})
        assert mode in {hit["doc_id"] for hit in found.structured_content["results"]}
    assert [{"search", "write"} & set(each["scope"].split()) for each in person.asked] == [
        {"search"},
        {"search", "write"},
    ]


def test_a_person_signs_in_renews_and_signs_out(service: Service, realm: Realm) -> None:
    browser = BrowserThread(ANN)
    signed_in = login(service.url, browser.open)
    browser.wait()
    asked = dict(parse_qsl(urlsplit(browser.address).query))
    assert (asked["resource"], asked["code_challenge_method"]) == (service.url, "S256")
    answer = me(service, stored_token(service.url)).json()
    assert (answer["subject"], answer["team"]) == (realm.subject("ann"), "red")
    assert set(answer["scopes"]) == {"search", "write", "ingest", "osdu", "quilt", "web", "admin"}
    write_login(replace(signed_in, expires_at=0.0))
    renewed = stored_token(service.url)
    assert renewed != signed_in.access_token
    assert me(service, renewed).status_code == 200
    assert logout(service.url)
    write_login(replace(signed_in, expires_at=0.0))
    with pytest.raises(Authentication, match="has expired"):
        stored_token(service.url)


def test_a_person_who_was_disabled_gets_no_new_token(service: Service, realm: Realm) -> None:
    signed_in = login(service.url, BrowserThread(ANN).open)
    realm.set_enabled("ann", enabled=False)
    write_login(replace(signed_in, expires_at=0.0))
    with pytest.raises(Authentication, match="has expired"):
        stored_token(service.url)
    realm.set_enabled("ann", enabled=True)


def test_a_program_signs_in_by_its_own_secret(service: Service, realm: Realm) -> None:
    answer = me(service, realm.token("robot", scope="search osdu")).json()
    assert (answer["team"], answer["scopes"]) == ("red", ["search", "osdu"])


def test_groups_are_teams(service: Service, realm: Realm) -> None:
    both = realm.token("trawl", "ben")
    refused = me(service, both)
    assert (refused.status_code, set(refused.json()["details"]["teams"])) == (403, {"red", "blue"})
    assert me(service, both, **{"trawl-team": "blue"}).json()["team"] == "blue"
    assert me(service, realm.token("trawl", "zoe")).json()["details"] == {"teams": []}


def test_a_token_for_another_service_is_refused(service: Service, realm: Realm) -> None:
    answer = me(service, realm.token("other", "ann"))
    assert answer.status_code == 401
    assert 'error="invalid_token"' in answer.headers["www-authenticate"]


def test_keys_can_be_rotated_without_a_pause(service: Service, realm: Realm) -> None:
    old = realm.token("trawl", "ann")
    assert me(service, old).status_code == 200
    realm.rotate_keys()
    new = realm.token("trawl", "ann")
    assert [me(service, token).status_code for token in (new, old)] == [200, 200]


def test_a_denied_subject_is_refused_within_a_second(service: Service, realm: Realm) -> None:
    token = realm.token("trawl", "ann")
    assert me(service, token).status_code == 200
    library = open_library(IndexerSettings(_env_file=None, engine="tantivy", data_dir=service.folder / "data"))
    denied = DeniedSubjects(library.engine.records)
    denied.deny(realm.issuer, realm.subject("ann"), seconds=3600, denied_by="local")
    wait_until(lambda: me(service, token).status_code == 401, "it is refused", seconds=1)
    denied.allow(realm.issuer, realm.subject("ann"))
    library.engine.records.close()
