"""A realm for Trawl, made as an administrator would make it: scopes, audience, teams by groups, clients and people."""

from typing import Any

import httpx

from mcp_server.access.scopes import SCOPES
from tests.deploy.keycloak import ADMIN

REALM = "trawl"
PASSWORD = "a password"
PEOPLE = {"ann": ["/red"], "ben": ["/red", "/blue"], "zoe": []}
MAPPED = {"access.token.claim": "true", "id.token.claim": "false"}


class Realm:
    """The realm by Keycloak's administration interface."""

    def __init__(self, url: str, audience: str) -> None:
        self.issuer = f"{url}/realms/{REALM}"
        self._token_endpoint = f"{self.issuer}/protocol/openid-connect/token"
        self._admin = httpx.Client(base_url=f"{url}/admin/realms", trust_env=False, timeout=60)
        self._sign_in_as_administrator(url)
        self._post("", {"realm": REALM, "enabled": True, "accessTokenLifespan": 300})
        for scope in SCOPES:
            self._post("/trawl/client-scopes", _client_scope(scope, include=True))
        service = {"protocolMappers": [_audience_mapper(audience), _team_mapper()]}
        self._post("/trawl/client-scopes", {**_client_scope("trawl-service", include=False), **service})
        for group in ("red", "blue"):
            self._post("/trawl/groups", {"name": group})
        for name, groups in PEOPLE.items():
            self._post("/trawl/users", _person(name, groups))
        self._add_clients()

    def close(self) -> None:
        self._admin.close()

    def token(self, client: str, person: str | None = None, scope: str = "search") -> str:
        """Let Keycloak issue a token to a person by its password, or to a program."""
        form = {"client_id": client, "scope": scope}
        if person is None:
            form |= {"grant_type": "client_credentials", "client_secret": PASSWORD}
        else:
            form |= {"grant_type": "password", "username": person, "password": PASSWORD}
        answer = httpx.post(self._token_endpoint, data=form, trust_env=False, timeout=60)
        token: str = answer.raise_for_status().json()["access_token"]
        return token

    def subject(self, person: str) -> str:
        """Return the id of a person."""
        found: list[dict[str, str]] = self._admin.get("/trawl/users", params={"username": person}).json()
        return found[0]["id"]

    def rotate_keys(self) -> None:
        """Sign with a new key from now on; the old one is still shown."""
        provider = {
            "name": "newer",
            "providerId": "rsa-generated",
            "providerType": "org.keycloak.keys.KeyProvider",
            "config": {"priority": ["200"], "keySize": ["2048"], "algorithm": ["RS256"]},
        }
        self._post("/trawl/components", provider)

    def set_enabled(self, person: str, *, enabled: bool) -> None:
        self._admin.put(f"/trawl/users/{self.subject(person)}", json={"enabled": enabled}).raise_for_status()

    def _sign_in_as_administrator(self, url: str) -> None:
        form = {"grant_type": "password", "client_id": "admin-cli", "username": ADMIN, "password": ADMIN}
        answer = httpx.post(f"{url}/realms/master/protocol/openid-connect/token", data=form, trust_env=False)
        self._admin.auth = lambda request: _with_token(request, answer.raise_for_status().json()["access_token"])

    def _post(self, path: str, value: dict[str, Any]) -> str:
        answer = self._admin.post(path, json=value)
        assert answer.status_code == 201, f"{path}: {answer.status_code} {answer.text}"
        return answer.headers["location"].rpartition("/")[2]

    def _add_clients(self) -> None:
        scopes = {
            "defaultClientScopes": ["basic", "trawl-service"],
            "optionalClientScopes": [*SCOPES, "offline_access"],
        }
        public = {"publicClient": True, "attributes": {"pkce.code.challenge.method": "S256"}}
        redirect = {"redirectUris": ["http://127.0.0.1/callback"], "directAccessGrantsEnabled": True}
        self._post("/trawl/clients", {"clientId": "trawl", **public, **redirect, **scopes})
        # A client of another service: its tokens have another audience.
        other = {"defaultClientScopes": ["basic"], "optionalClientScopes": list(SCOPES)}
        self._post("/trawl/clients", {"clientId": "other", **public, **redirect, **other})
        robot = {"clientId": "robot", "secret": PASSWORD, "serviceAccountsEnabled": True, "standardFlowEnabled": False}
        id_ = self._post("/trawl/clients", {**robot, **scopes})
        account = self._admin.get(f"/trawl/clients/{id_}/service-account-user").json()["id"]
        red = next(group["id"] for group in self._admin.get("/trawl/groups").json() if group["name"] == "red")
        self._admin.put(f"/trawl/users/{account}/groups/{red}").raise_for_status()


def _with_token(request: httpx.Request, token: str) -> httpx.Request:
    request.headers["authorization"] = f"Bearer {token}"
    return request


def _client_scope(name: str, *, include: bool) -> dict[str, Any]:
    return {
        "name": name,
        "protocol": "openid-connect",
        "attributes": {"include.in.token.scope": str(include).lower(), "display.on.consent.screen": "false"},
    }


def _audience_mapper(audience: str) -> dict[str, Any]:
    config = {"included.custom.audience": audience, **MAPPED}
    return {
        "name": "audience",
        "protocol": "openid-connect",
        "protocolMapper": "oidc-audience-mapper",
        "config": config,
    }


def _team_mapper() -> dict[str, Any]:
    config = {"claim.name": "team", "full.path": "false", **MAPPED}
    return {
        "name": "team",
        "protocol": "openid-connect",
        "protocolMapper": "oidc-group-membership-mapper",
        "config": config,
    }


def _person(name: str, groups: list[str]) -> dict[str, Any]:
    return {
        "username": name,
        "enabled": True,
        "email": f"{name}@example.org",
        "emailVerified": True,
        "firstName": name,
        "lastName": "Test",
        "groups": groups,
        "credentials": [{"type": "password", "value": PASSWORD}],
    }
