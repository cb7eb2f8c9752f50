"""The check of `trawl doctor` for the OpenID Connect issuer: whether it answers, and what it calls itself."""

from typing import Final

from app.auth.oidc.fetch_keys import fetch_keys
from app.auth.oidc.issuer_http import IssuerHttp
from app.cli.checks import Check
from app.settings import AppSettings
from indexer.errors import PlatformError

_NAME: Final = "issuer"


async def issuer(settings: AppSettings) -> list[Check]:
    """Ask the issuer for its keys; no check where there is none."""
    if settings.oidc_issuer is None:
        return []
    http = IssuerHttp(settings.oidc_ca)
    try:
        await fetch_keys(http, settings.oidc_issuer, settings.oidc_algorithms)
    except PlatformError as error:
        action = "Set TRAWL_OIDC_ISSUER to the issuer in the document that it publishes, and see that it can be reached"
        return [Check(_NAME, "broken", error.message, action)]
    finally:
        await http.aclose()
    return [Check(_NAME, "ok", "shows its keys")]
