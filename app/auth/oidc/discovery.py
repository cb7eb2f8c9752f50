"""Finds an issuer's own document: its endpoints, and where its keys are."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from app.auth.oidc.issuer_http import IssuerHttp, IssuerUnavailable


@dataclass(frozen=True, slots=True)
class IssuerMetadata:
    """What an issuer says of itself."""

    issuer: str
    document: Mapping[str, Any]

    def address(self, name: str) -> str | None:
        """Return the address of an endpoint; None if the issuer has none of this name."""
        value = self.document.get(name)
        return value if isinstance(value, str) and value else None

    def names(self, name: str) -> tuple[str, ...] | None:
        """Return a list of names, such as the scopes it knows; None if it does not say."""
        value = self.document.get(name)
        return tuple(each for each in value if isinstance(each, str)) if isinstance(value, list) else None


async def discover(http: IssuerHttp, issuer: str) -> IssuerMetadata:
    """Return the issuer's metadata; `IssuerUnavailable` unless they name exactly this issuer."""
    for address in metadata_addresses(issuer):
        reply = await http.get(address)
        if reply.status == 200 and reply.body:
            if reply.body.get("issuer") != issuer:
                # Otherwise one issuer could pass off its keys as another's.
                raise IssuerUnavailable("its own document names another issuer")
            return IssuerMetadata(issuer, reply.body)
    raise IssuerUnavailable("it has no document about itself")


def metadata_addresses(issuer: str) -> tuple[str, str]:
    """Return where the document is by OpenID Connect Discovery, then by RFC 8414."""
    parts = urlsplit(issuer)
    path = parts.path.rstrip("/")
    origin = f"{parts.scheme}://{parts.netloc}"
    return (
        f"{origin}{path}/.well-known/openid-configuration",
        f"{origin}/.well-known/oauth-authorization-server{path}",
    )
