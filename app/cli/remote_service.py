"""The service elsewhere that commands use: the one that TRAWL_URL names, else the one that was signed in to."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any
from urllib.parse import urlsplit

from app.auth.login.login_files import current_login, is_signed_in, unexpired_token
from indexer.environment_value import environment_value
from indexer.errors import Authentication, Authorization, NotConfigured


@dataclass(frozen=True, slots=True)
class RemoteService:
    """A service by its address, and by the token in TRAWL_TOKEN or the stored sign-in."""

    url: str
    is_named: bool
    """Whether TRAWL_URL names it."""
    token: str | None = field(default=None, repr=False)
    """None for the one of the stored sign-in."""
    team: str | None = None
    """The chosen one of the caller's teams."""

    def headers(self) -> dict[str, str]:
        """Return the headers of a request, with a token that is renewed if it has expired. May block for the issuer."""
        token = self.token or unexpired_token(self.url) or self._renewed_token()
        chosen = {"authorization": token and f"Bearer {token}", "trawl-team": self.team}
        return {name: value for name, value in chosen.items() if value}

    def explained(self, status: int, result: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the body of a response; of a refusal, with what a user of commands can do about it."""
        if status == HTTPStatus.UNAUTHORIZED:
            return Authentication(
                str(result.get("error", "This service needs a token")),
                action=f"Sign in with `trawl login {self.url}`, or set TRAWL_TOKEN to a token for this service",
                command=f"trawl login {self.url}",
            ).failure()
        if status == HTTPStatus.FORBIDDEN and (teams := result.get("details", {}).get("teams")):
            return Authorization(
                str(result["error"]), action=f"Set TRAWL_TEAM to one of: {', '.join(teams)}", details={"teams": teams}
            ).failure()
        return result

    def _renewed_token(self) -> str | None:
        if not is_signed_in(self.url):
            return None
        from app.auth.login.login import stored_token  # noqa: PLC0415 - slow, and needed once in the life of a token

        return stored_token(self.url)


def remote_service() -> RemoteService | None:
    """Return the service on another machine; None if commands use the one of this machine."""
    team = environment_value("TRAWL_TEAM")
    url = environment_value("TRAWL_URL")
    if url is not None:
        return RemoteService(_checked(url), is_named=True, token=environment_value("TRAWL_TOKEN"), team=team)
    current = current_login()
    return None if current is None else RemoteService(current, is_named=False, team=team)


def _checked(url: str) -> str:
    bare = url.strip().rstrip("/")
    try:
        parts = urlsplit(bare)
        is_address = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        is_address = False
    if not is_address or parts.query or parts.fragment:
        raise NotConfigured(
            "TRAWL_URL is no address of a service",
            action="Set it to an address like https://search.example.org, or remove it",
        )
    return bare
