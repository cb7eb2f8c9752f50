"""Signs in to a service, keeps the tokens on this machine, renews them, and signs out."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlsplit

from filelock import Timeout

from app.auth.login.authorization import authorize
from app.auth.login.login_files import has_expired
from app.auth.login.sign_in_place import find_sign_in_place, service_url
from app.auth.login.stored_login import StoredLogin, lock_login, read_login, remove_login, write_login
from app.auth.login.token_request import SignInRefused, renew_tokens, revoke_token
from app.auth.oidc.issuer_http import IssuerHttp
from app.settings import is_loopback
from indexer.errors import Authentication
from indexer.file_lock import held_by


def login(
    url: str, open_browser: Callable[[str], object], *, client_id: str | None = None, scopes: Sequence[str] = ()
) -> StoredLogin:
    """Sign in by the browser and keep the tokens. `open_browser` gets the address to open. Blocking.

    The service names the client and Trawl knows its scopes, unless they are given.
    """
    return asyncio.run(_login(service_url(url), open_browser, client_id, scopes))


def logout(url: str) -> bool:
    """Forget the tokens, and tell the issuer so; False if nobody was signed in. Blocking."""
    return asyncio.run(_logout(service_url(url)))


def stored_token(url: str) -> str | None:
    """Return a valid token for a service; None if nobody signed in to it. Blocking."""
    return asyncio.run(fresh_token(url))


async def fresh_token(url: str) -> str | None:
    """Return a valid token for a service, renewed if it has expired; None if nobody signed in to it.

    `Authentication` if it cannot be renewed.
    """
    address = service_url(url)
    stored = read_login(address)
    if stored is None or not has_expired(stored.expires_at):
        return None if stored is None else stored.access_token
    lock = lock_login(address)
    try:
        await asyncio.to_thread(lock.acquire)
    except Timeout:
        raise held_by("The sign-in is being renewed", Path(lock.lock_file)) from None
    try:
        return await _renew(address)
    finally:
        lock.release()


async def _renew(url: str) -> str | None:
    # Another command may have renewed it meanwhile.
    stored = read_login(url)
    if stored is None or not has_expired(stored.expires_at):
        return None if stored is None else stored.access_token
    if stored.refresh_token is None:
        raise _expired(url)
    http = _http(url)
    try:
        issued = await renew_tokens(
            http,
            stored.token_endpoint,
            stored.refresh_token,
            client_id=stored.client_id,
            resource=stored.resource,
        )
    except SignInRefused:
        raise _expired(url) from None
    finally:
        await http.aclose()
    write_login(
        replace(
            stored,
            access_token=issued.access_token,
            refresh_token=issued.refresh_token,
            expires_at=issued.expires_at,
        )
    )
    return issued.access_token


async def _login(
    url: str, open_browser: Callable[[str], object], client_id: str | None, scopes: Sequence[str]
) -> StoredLogin:
    http = _http(url)
    try:
        place = await find_sign_in_place(http, url, client_id)
        issued = await authorize(http, place, place.scope(scopes), open_browser)
    finally:
        await http.aclose()
    stored = StoredLogin(
        url=url,
        issuer=place.metadata.issuer,
        client_id=place.client_id,
        resource=place.resource,
        token_endpoint=place.token_endpoint,
        revocation_endpoint=place.metadata.address("revocation_endpoint"),
        access_token=issued.access_token,
        refresh_token=issued.refresh_token,
        expires_at=issued.expires_at,
    )
    write_login(stored)
    return stored


async def _logout(url: str) -> bool:
    stored = read_login(url)
    remove_login(url)
    if stored is not None:
        http = _http(url)
        token = stored.refresh_token or stored.access_token
        try:
            await revoke_token(http, stored.revocation_endpoint, token, client_id=stored.client_id)
        finally:
            await http.aclose()
    return stored is not None


def _expired(url: str) -> Authentication:
    return Authentication(
        "The sign-in has expired", action=f"Sign in again with `trawl login {url}`", command=f"trawl login {url}"
    )


def _http(url: str) -> IssuerHttp:
    # A service on this machine must not be asked for through a proxy.
    return IssuerHttp(through_proxies=not is_loopback(urlsplit(url).hostname or ""))
