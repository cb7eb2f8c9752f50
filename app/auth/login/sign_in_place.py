"""Finds where a service lets people sign in: from its address to its issuer's endpoints."""

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from app.auth.oidc.discovery import IssuerMetadata, discover
from app.auth.oidc.issuer_http import IssuerHttp, IssuerUnavailable
from app.settings import is_secure_address
from indexer.errors import Invalid, NotConfigured, Unavailable, printable
from mcp_server.access.challenge import METADATA_PATH
from mcp_server.access.scopes import SCOPES

_OPENID_SCOPES = ("openid", "offline_access")


@dataclass(frozen=True, slots=True)
class SignInPlace:
    """Where to sign in for a service, and as which client."""

    resource: str
    client_id: str
    metadata: IssuerMetadata
    authorization_endpoint: str
    token_endpoint: str

    def scope(self, wanted: Sequence[str]) -> str:
        """Return what to ask for: these scopes, else all of Trawl that the issuer knows, and a token to renew them."""
        known = self.metadata.names("scopes_supported") or ()
        # Many issuers list none of the scopes that were added to them.
        own = wanted or [scope for scope in SCOPES if scope in known] or SCOPES
        return " ".join(dict.fromkeys([*(scope for scope in _OPENID_SCOPES if scope in known), *own]))


async def find_sign_in_place(http: IssuerHttp, url: str, client_id: str | None) -> SignInPlace:
    """Ask the service for its issuer, and the issuer for its endpoints."""
    issuer, offered_client = await _issuer_of(http, url)
    client = client_id or offered_client
    if client is None:
        raise NotConfigured(
            "This service names no client for `trawl login`",
            action="Ask its operator to set TRAWL_OIDC_CLIENT_ID, or use a token: TRAWL_TOKEN",
        )
    return await place_at(http, issuer, resource=url, client_id=client)


async def place_at(http: IssuerHttp, issuer: str, *, resource: str, client_id: str) -> SignInPlace:
    """Ask the issuer for its endpoints; `IssuerUnavailable` if nobody can sign in there safely."""
    metadata = await discover(http, issuer)
    authorization, token = metadata.address("authorization_endpoint"), metadata.address("token_endpoint")
    methods = metadata.names("code_challenge_methods_supported")
    if authorization is None or token is None or not is_secure_address(authorization):
        raise IssuerUnavailable("it lets nobody sign in by a browser")
    if methods is not None and "S256" not in methods:
        raise IssuerUnavailable("it does not support PKCE with S256")
    return SignInPlace(resource, client_id, metadata, authorization, token)


def service_url(url: str) -> str:
    """Check the address of a service; the way to it must be as safe as its tokens have to be."""
    bare = url.strip().rstrip("/")
    if not is_secure_address(bare) or urlsplit(bare).query or urlsplit(bare).fragment:
        raise Invalid(
            "This is no address to sign in to",
            action="Give the service's https:// address; http:// is for this machine alone",
        )
    return bare


async def _issuer_of(http: IssuerHttp, url: str) -> tuple[str, str | None]:
    try:
        reply = await http.get(url + METADATA_PATH)
    except IssuerUnavailable:
        raise Unavailable("The service at this address gave no answer", action="Check the address") from None
    resource, issuers = reply.body.get("resource"), reply.body.get("authorization_servers")
    if reply.status != 200 or not isinstance(resource, str):
        raise Unavailable("This is no Trawl service", action="Give the address of the service, without /mcp")
    if resource != url:
        # Otherwise a service could get hold of a token for another one.
        raise Invalid(
            f"This service goes by another address: {printable(resource)}",
            action="If you trust that address, sign in to it",
        )
    if not isinstance(issuers, list) or not issuers or not is_secure_address(str(issuers[0])):
        raise NotConfigured(
            "Nobody can sign in to this service by a browser",
            action="Ask its operator for a token, and set TRAWL_TOKEN",
        )
    client = reply.body.get("trawl_client_id")
    return str(issuers[0]), client if isinstance(client, str) else None
