"""The parts of sessions: cookies, where they count, seals, CSRF tokens, and the ID token of a sign-in."""

import time
from typing import Any

import jwt
import pytest
from starlette.types import Scope

from app.auth.login.sign_in_place import SignInPlace
from app.auth.login.token_request import SignInRefused
from app.auth.oidc.discovery import IssuerMetadata
from app.auth.sessions.cookies import Cookie
from app.auth.sessions.csrf import CsrfTokens, WrongCsrfToken
from app.auth.sessions.issuer_flow import _check_id_token
from app.auth.sessions.seal import Seal
from app.http.own_pages import ForeignPage, refuse_foreign_page

ISSUER = "https://login.example.org"
PUBLIC = "https://search.example.org"


def request(scheme: str = "http", **headers: str) -> Scope:
    raw = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    return {"type": "http", "scheme": scheme, "path": "/", "query_string": b"", "headers": raw}


@pytest.mark.parametrize(
    ("public_url", "scheme", "name", "is_secure"),
    [
        ("http://127.0.0.1:8000", "http", "trawl_session", False),
        ("http://127.0.0.1:8000", "https", "__Host-trawl_session", True),
        (PUBLIC, "http", "__Host-trawl_session", True),
        (PUBLIC, "https", "__Host-trawl_session", True),
    ],
)
def test_with_tls_a_cookie_is_bound_to_its_host(public_url: str, scheme: str, name: str, is_secure: bool) -> None:
    cookie = Cookie("trawl_session", 60, public_url)
    header = cookie.setting(request(scheme), "value")
    assert header == f"{name}=value; Path=/; Max-Age=60; HttpOnly; SameSite=Lax{'; Secure' if is_secure else ''}"
    assert cookie.read(request(scheme, cookie=f"a=b; {name}=value; c=d")) == "value"
    other = "trawl_session" if is_secure else "__Host-trawl_session"
    assert cookie.read(request(scheme, cookie=f"{other}=value")) is None
    assert cookie.clearing(request(scheme)).startswith(f"{name}=; Path=/; Max-Age=0; ")


@pytest.mark.parametrize("sent", ["", ";", "=", "trawl_session", "trawl_session=", "trawl_session=" + "x" * 5_000])
def test_what_is_no_value_is_no_cookie(sent: str) -> None:
    assert Cookie("trawl_session", 60, "http://127.0.0.1").read(request(cookie=sent)) is None


def test_a_sealed_value_opens_with_the_keys_of_the_service_under_its_name_alone() -> None:
    sealed = Seal((b"one",), b"test").seal(["a token", None, 1.5], "name")
    assert "token" not in sealed
    assert Seal((b"two", b"one"), b"test").open(sealed, "name") == ["a token", None, 1.5]
    assert Seal((b"two",), b"test").open(sealed, "name") is None
    assert Seal((b"one",), b"other").open(sealed, "name") is None
    assert Seal((b"one",), b"test").open(sealed, "another") is None
    changed = sealed[:-4] + ("AAAA" if sealed[-4:] != "AAAA" else "BBBB")
    for broken in (changed, sealed[:10], "", "ü", "\udc80", "x"):
        assert Seal((b"one",), b"test").open(broken, "name") is None


def test_a_csrf_token_is_that_of_its_session_and_of_the_service() -> None:
    tokens = CsrfTokens((b"two", b"one"))
    tokens.check("session", tokens.of("session"))
    tokens.check("session", CsrfTokens((b"one",)).of("session"))
    for wrong in ("", tokens.of("another"), CsrfTokens((b"three",)).of("session"), "session", "ü", "\udc80"):
        with pytest.raises(WrongCsrfToken):
            tokens.check("session", wrong)


def id_token(**changed: Any) -> str:
    claims = {"iss": ISSUER, "aud": "trawl", "sub": "ann", "nonce": "n", "exp": int(time.time()) + 60, **changed}
    return jwt.encode({name: value for name, value in claims.items() if value is not None}, "x" * 32)


@pytest.mark.parametrize("changed", [{}, {"aud": ["trawl"]}, {"aud": ["other", "trawl"]}])
def test_the_id_token_of_this_sign_in_is_accepted(changed: dict[str, Any]) -> None:
    _check_id_token(id_token(**changed), place(), "n")


@pytest.mark.parametrize(
    "changed",
    [
        {"nonce": None},
        {"nonce": "another"},
        {"nonce": ["n"]},
        {"nonce": "ü"},
        {"aud": "other"},
        {"aud": None},
        {"iss": "https://other.example.org"},
        {"iss": None},
    ],
)
def test_the_id_token_of_another_sign_in_is_refused(changed: dict[str, Any]) -> None:
    with pytest.raises(SignInRefused):
        _check_id_token(id_token(**changed), place(), "n")


def test_what_is_no_id_token_is_refused() -> None:
    for broken in ("", "a.b.c", "é"):
        with pytest.raises(SignInRefused):
            _check_id_token(broken, place(), "n")


def place() -> SignInPlace:
    metadata = IssuerMetadata(ISSUER, {})
    return SignInPlace(PUBLIC, "trawl", metadata, f"{ISSUER}/auth", f"{ISSUER}/token")


@pytest.mark.parametrize(
    ("public_url", "headers", "is_own"),
    [
        (PUBLIC, {"origin": PUBLIC}, True),
        (PUBLIC, {"origin": "https://Search.Example.org"}, True),
        (f"{PUBLIC}/trawl", {"origin": PUBLIC}, True),
        (PUBLIC, {"origin": "http://search.example.org"}, False),
        (PUBLIC, {"origin": "null"}, False),
        (PUBLIC, {"origin": "null", "sec_fetch_site": "same-origin"}, True),
        (PUBLIC, {"sec_fetch_site": "same-origin"}, True),
        (PUBLIC, {"sec_fetch_site": "same-site"}, False),
        (PUBLIC, {}, False),
        (PUBLIC, {"origin": "https://evil.example", "sec_fetch_site": "same-origin"}, False),
        # A proxy that ends TLS, of which the service knows nothing.
        ("http://127.0.0.1:8000", {"origin": "https://search.example.org"}, True),
        ("http://127.0.0.1:8000", {"origin": "http://search.example.org"}, True),
    ],
)
def test_only_a_page_of_the_service_itself_may_sign_in(public_url: str, headers: dict[str, str], is_own: bool) -> None:
    asked = request(host="search.example.org", **headers)
    if is_own:
        refuse_foreign_page(asked, public_url)
    else:
        with pytest.raises(ForeignPage):
            refuse_foreign_page(asked, public_url)


def test_two_origins_are_none() -> None:
    asked = request(host="search.example.org", origin=PUBLIC)
    asked["headers"].append((b"origin", b"https://evil.example"))
    with pytest.raises(ForeignPage):
        refuse_foreign_page(asked, PUBLIC)
