"""Reads what a verified token says: the subject, its teams, its scopes, and the program it was issued to."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from app.auth.authentication import InvalidToken
from indexer.errors import Invalid
from indexer.tenancy import TeamId, team_id
from mcp_server.access.scopes import ALL_SCOPES

_MAX_SUBJECT: Final = 255
_MAX_CLIENT: Final = 100
_OWN_SUBJECTS: Final = ("local", "anonymous", "nobody")
_OWN_PREFIXES: Final = ("token:", "local:")
_CLIENT_CLAIMS: Final = ("azp", "client_id", "appid")


@dataclass(frozen=True, slots=True)
class VerifiedToken:
    """What a valid token says."""

    subject: str
    teams: tuple[TeamId, ...]
    scopes: frozenset[str]
    client: str
    """The program that it was issued to; empty if the token does not say."""
    expires_at: int


def read_claims(claims: Mapping[str, Any], *, team_claim: str, scope_claim: str) -> VerifiedToken:
    """Read the claims of a verified token; `InvalidToken` if its subject cannot be told from Trawl's own."""
    return VerifiedToken(
        subject=_subject(claims["sub"]),
        teams=tuple(dict.fromkeys(_teams(claims.get(team_claim)))),
        scopes=ALL_SCOPES & _scopes(claims.get(scope_claim)),
        client=_client(claims),
        expires_at=int(claims["exp"]),
    )


def _subject(subject: str) -> str:
    is_own = subject in _OWN_SUBJECTS or subject.startswith(_OWN_PREFIXES)
    if is_own or not subject.strip() or len(subject) > _MAX_SUBJECT or not subject.isprintable():
        raise InvalidToken("The token's subject cannot be used", action="Ask the operator for another account")
    return subject


def _teams(value: Any) -> Iterable[TeamId]:
    """Return the names that can be teams: a claim with groups has others, too."""
    for name in [value] if isinstance(value, str) else _strings(value):
        try:
            yield team_id(name)
        except Invalid:
            continue


def _scopes(value: Any) -> set[str]:
    return set(value.split(" ") if isinstance(value, str) else _strings(value))


def _strings(value: Any) -> list[str]:
    return [each for each in value if isinstance(each, str)] if isinstance(value, list) else []


def _client(claims: Mapping[str, Any]) -> str:
    for name in _CLIENT_CLAIMS:
        value = claims.get(name)
        if isinstance(value, str) and value and value.isprintable():
            return value[:_MAX_CLIENT]
    return ""
