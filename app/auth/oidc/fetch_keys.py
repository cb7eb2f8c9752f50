"""Fetches an issuer's keys: its document says where they are."""

from collections.abc import Iterable

from app.auth.oidc.discovery import discover
from app.auth.oidc.issuer_http import IssuerHttp, IssuerUnavailable
from app.auth.oidc.signing_keys import SigningKeys


async def fetch_keys(http: IssuerHttp, issuer: str, algorithms: Iterable[str]) -> SigningKeys:
    """Return the keys for these algorithms; `IssuerUnavailable` says why there are none."""
    metadata = await discover(http, issuer)
    address = metadata.address("jwks_uri")
    if address is None:
        raise IssuerUnavailable("its document does not say where its keys are")
    reply = await http.get(address)
    keys = SigningKeys(reply.body, algorithms)
    if reply.status != 200 or not keys:
        raise IssuerUnavailable("it shows no key for the signatures that are accepted")
    return keys
