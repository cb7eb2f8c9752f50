"""Checks of `trawl doctor` that name what is unsafe about a service that other machines reach."""

import stat
from collections.abc import Iterator
from typing import Final
from urllib.parse import urlsplit

from app.cli.checks import Check, broken
from app.settings import AppSettings, is_exposed, is_loopback, is_secure_address, needs_tokens, refuse_exposure
from indexer.errors import PlatformError
from indexer.settings import IndexerSettings

_MIN_KEY_LENGTH: Final = 32


def exposure(settings: AppSettings) -> Iterator[Check]:
    """Check who can reach the service, whether tokens travel encrypted, and whose address is recorded."""
    try:
        refuse_exposure(settings)
    except PlatformError as error:
        yield broken("exposure", error)
        return
    if not is_exposed(settings):
        open_to = "every call needs a token" if needs_tokens(settings) else "calls need no token"
        yield Check("exposure", "ok", f"reachable from this machine only; {open_to}")
    elif not is_secure_address(settings.address):
        action = "Set TRAWL_TLS_CERT and TRAWL_TLS_KEY, or put a proxy with TLS before it and set TRAWL_PUBLIC_URL"
        yield Check("exposure", "broken", f"tokens travel unencrypted to {settings.address}", action)
    else:
        yield Check("exposure", "ok", f"reachable at {settings.address}; every call needs a token")
    yield from _proxies(settings)
    yield from _private_key(settings)
    yield from _metrics(settings)


def secrets(settings: IndexerSettings) -> Iterator[Check]:
    """Check that keys cannot be guessed, and that passwords travel encrypted."""
    key = settings.secret_key.get_secret_value().strip() if settings.secret_key else ""
    if key and len(key) < _MIN_KEY_LENGTH:
        action = 'Make a longer one: python3 -c "import secrets; print(secrets.token_hex(32))"'
        yield Check("secret key", "broken", f"TRAWL_SECRET_KEY has fewer than {_MIN_KEY_LENGTH} characters", action)
    plain = [url for url in settings.opensearch_urls if not is_secure_address(url)]
    if settings.chosen_engine == "opensearch" and plain and settings.opensearch_password:
        action = "Use https:// in TRAWL_OPENSEARCH_URL, and TRAWL_OPENSEARCH_CA if its authority is your own"
        yield Check("opensearch", "broken", "the password and all documents travel unencrypted", action)


def _proxies(settings: AppSettings) -> Iterator[Check]:
    is_behind_proxy = urlsplit(settings.address).scheme == "https" and settings.tls_cert is None
    if is_behind_proxy and not settings.trusted_proxies:
        action = "Set TRAWL_TRUSTED_PROXIES to the proxy's address; the proxy must set X-Forwarded-For"
        detail = "a proxy is before the service, and every caller is taken for it: in the audit and in limits"
        yield Check("proxies", "broken", detail, action)


def _private_key(settings: AppSettings) -> Iterator[Check]:
    if settings.tls_key is not None and stat.S_IMODE(settings.tls_key.stat().st_mode) & 0o077:
        yield Check("tls key", "broken", "other users may read TRAWL_TLS_KEY", "Let only its owner read it: chmod 600")


def _metrics(settings: AppSettings) -> Iterator[Check]:
    if settings.metrics_port is not None and not is_loopback(settings.host):
        detail = f"all who reach port {settings.metrics_port} read the numbers of all teams: keep it inside"
        yield Check("metrics", "ok", detail)
