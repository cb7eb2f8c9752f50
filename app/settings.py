"""Settings of this package: where the service listens, and who may reach it."""

import ipaddress
from functools import lru_cache
from typing import Annotated, Final, Literal, Self
from urllib.parse import urlsplit

from pydantic import AfterValidator, BeforeValidator, Field, FilePath, model_validator
from pydantic_settings import NoDecode

from indexer.environment import Address, EnvironmentSettings, Names, comma_separated, comma_separated_lowered
from indexer.errors import NotConfigured


def _check_origin(value: str) -> str:
    parts = urlsplit(value)
    if value != "*" and (parts.scheme not in {"http", "https"} or value != f"{parts.scheme}://{parts.netloc}"):
        raise ValueError("give origins like https://app.example.org, without a path")
    return value


Origin = Annotated[str, AfterValidator(_check_origin)]

_ALGORITHMS: Final = (
    *("RS256", "RS384", "RS512", "PS256", "PS384", "PS512"),
    *("ES256", "ES384", "ES512", "EdDSA"),
)
"""Signatures by a key pair. With a shared key, everybody who can check a token could make one."""


def _check_issuer(value: str) -> str:
    # Kept as it is, with or without a last slash: issuers are compared character by character.
    parts = urlsplit(value) if is_secure_address(value) else None
    if parts is None or parts.query or parts.fragment or "@" in parts.netloc or value != value.strip():
        raise ValueError("give the issuer's https:// address, without a query; http:// is for loopback alone")
    return value


def _check_network(value: str) -> str:
    try:
        ipaddress.ip_network(value)
    except ValueError:
        raise ValueError("give addresses or networks of proxies, like 10.0.0.7 or 10.0.0.0/24") from None
    return value


def _check_algorithm(value: str) -> str:
    if value not in _ALGORITHMS:
        raise ValueError(f"use some of {', '.join(_ALGORITHMS)}; unsigned tokens and shared keys are never accepted")
    return value


class AppSettings(EnvironmentSettings):
    """Read from the environment and `.env`."""

    host: Annotated[str, Field(description="Address to listen on")] = "127.0.0.1"
    port: Annotated[int, Field(ge=0, le=65535, description="Port to listen on; 0 picks a free one")] = 8000
    public_url: Annotated[
        Address | None, Field(description="URL at which clients reach the service, if it differs from host and port")
    ] = None
    allowed_hosts: Annotated[
        tuple[str, ...],
        NoDecode,
        BeforeValidator(comma_separated_lowered),
        Field(description="Additional host names for requests, comma-separated; loopback names are always allowed"),
    ] = ()
    cors_origins: Annotated[
        tuple[Origin, ...] | None,
        NoDecode,
        BeforeValidator(comma_separated_lowered),
        Field(
            description="Origins of web pages that may call MCP and the API from a browser, comma-separated; "
            "by default loopback origins with any port while authentication is off, else none; * needs TRAWL_AUTH on"
        ),
    ] = None
    tls_cert: Annotated[
        FilePath | None,
        Field(description="PEM file with the certificate and its chain, to serve https; read again when it changes"),
    ] = None
    tls_key: Annotated[FilePath | None, Field(description="PEM file with the private key of the certificate")] = None
    trusted_proxies: Annotated[
        tuple[Annotated[str, AfterValidator(_check_network)], ...],
        NoDecode,
        BeforeValidator(comma_separated),
        Field(
            description="Addresses or networks of reverse proxies, comma-separated; only from these is "
            "X-Forwarded-For believed"
        ),
    ] = ()
    metrics_port: Annotated[
        int | None,
        Field(ge=0, le=65535, description="Port that serves /metrics of all teams without a token; none by default"),
    ] = None
    max_connections: Annotated[
        int,
        Field(
            ge=16,
            description="Connections at a time; fewer if the limit of open files (ulimit -n) leaves no room for them",
        ),
    ] = 4_096
    client_timeout: Annotated[
        float,
        Field(
            ge=1,
            le=600,
            description="Seconds for the headers of a request, and the period over which a client must send a body, or "
            "read a response, at 1,000 bytes a second or more",
        ),
    ] = 30.0
    auth: Annotated[
        Literal["auto", "off", "on"],
        Field(
            description="on: every call needs a token; auto: off while host and public URL are loopback, "
            "but a request that a proxy passed on needs one",
        ),
    ] = "auto"
    oidc_issuer: Annotated[
        Annotated[str, AfterValidator(_check_issuer)] | None,
        Field(description="OpenID Connect issuer whose tokens are accepted, character by character as it names itself"),
    ] = None
    oidc_audience: Annotated[
        Names,
        Field(
            description="Audiences of which a token needs one, comma-separated; by default the public URL, its /mcp "
            "and its /mcp/read"
        ),
    ] = ()
    oidc_client_id: Annotated[
        str | None, Field(description="Public client at the issuer for the page and `trawl login`")
    ] = None
    oidc_team_claim: Annotated[
        str, Field(min_length=1, description="Claim with the name of the caller's team, or a list of names")
    ] = "team"
    oidc_scope_claim: Annotated[
        str, Field(min_length=1, description="Claim with the scopes, as a list or separated by spaces")
    ] = "scope"
    oidc_algorithms: Annotated[
        tuple[Annotated[str, AfterValidator(_check_algorithm)], ...],
        NoDecode,
        BeforeValidator(comma_separated),
        Field(min_length=1, description="Signatures that are accepted, comma-separated"),
    ] = ("RS256", "ES256", "EdDSA")
    oidc_ca: Annotated[
        FilePath | None, Field(description="PEM file with the authority that signed the issuer's certificate")
    ] = None

    @model_validator(mode="after")
    def _check_tls(self) -> Self:
        if (self.tls_cert is None) != (self.tls_key is None):
            raise ValueError("TRAWL_TLS_CERT and TRAWL_TLS_KEY are set together or not at all")
        return self

    @model_validator(mode="after")
    def _check_any_origin(self) -> Self:
        if "*" in (self.cors_origins or ()) and self.auth != "on":
            raise ValueError("TRAWL_CORS_ORIGINS=* would let any web page read this service while it needs no token")
        return self

    @property
    def address(self) -> str:
        """The URL at which clients reach the service, without a trailing slash."""
        return self.public_url or listening_url(self, self.port)

    @property
    def audiences(self) -> tuple[str, ...]:
        """The audiences of which a token of the issuer needs one."""
        # Some clients write the address of the service as a whole with a last slash.
        return self.oidc_audience or tuple(f"{self.address}{path}" for path in ("", "/", "/mcp", "/mcp/read"))

    @property
    def public_host(self) -> str | None:
        """The host name of the public URL."""
        return urlsplit(self.public_url).hostname if self.public_url else None


def listening_url(settings: AppSettings, port: int) -> str:
    """Return the URL of the address on which the service listens."""
    scheme = "http" if settings.tls_cert is None else "https"
    return f"{scheme}://{f'[{settings.host}]' if ':' in settings.host else settings.host}:{port}"


@lru_cache(maxsize=1_000)
def is_loopback(host: str) -> bool:
    """Say whether this name or address is always this machine."""
    bare = host.removeprefix("[").removesuffix("]").lower().rstrip(".")
    if bare == "localhost":
        return True
    try:
        return ipaddress.ip_address(bare).is_loopback
    except ValueError:
        return False


def is_secure_address(url: str) -> bool:
    """Say whether tokens and keys may travel to this address: by TLS, or on this machine."""
    try:
        parts = urlsplit(url)
        host = parts.hostname
    except ValueError:
        return False
    return bool(host) and (parts.scheme == "https" or (parts.scheme == "http" and is_loopback(host or "")))


def is_exposed(settings: AppSettings) -> bool:
    """Say whether the service can be reached from other machines."""
    is_public = settings.public_host is not None and not is_loopback(settings.public_host)
    return is_public or not is_loopback(settings.host)


def needs_tokens(settings: AppSettings) -> bool:
    """Say whether every request needs a token."""
    return settings.auth == "on" or (settings.auth == "auto" and is_exposed(settings))


def refuse_exposure(settings: AppSettings) -> None:
    """Fail if the service would be open to other machines without authentication."""
    if settings.auth == "off" and is_exposed(settings):
        raise NotConfigured(
            "TRAWL_AUTH is off, and TRAWL_HOST or TRAWL_PUBLIC_URL is not loopback: anybody could use the service",
            action="Set TRAWL_AUTH to auto or on, and make tokens with `trawl token create`",
        )
