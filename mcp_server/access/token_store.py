"""The tokens that Trawl issued: records with what each allows. Of a token itself only its SHA-256 is kept."""

import hmac
import secrets
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Final

from indexer.engines.record_port import Records
from indexer.errors import Authorization, NotFound
from indexer.records import Store
from indexer.schema.dates import format_utc, utc_now
from indexer.tenancy import IndexName, TeamId
from mcp_server.access.denied_subjects import DeniedSubjects
from mcp_server.access.token_format import new_token, token_digest

_KIND: Final = "tokens"
_ID_LENGTH: Final = 16


@dataclass(frozen=True, slots=True)
class TokenRecord:
    """What is known of a token."""

    id: str
    digest: str
    team: TeamId
    name: str
    scopes: tuple[str, ...]
    indices: tuple[IndexName, ...] | None
    """The only indices that it may use; None for all."""
    created_at: str
    created_by: str
    expires_at: str | None = None
    last_used_at: str | None = None
    last_client: str = ""
    owner: str | None = None
    """The credential of the subject that made it for itself; None if an administrator or the operator made it."""

    @property
    def subject(self) -> str:
        """The subject of calls with this token: its own, or that of its owner."""
        return f"token:{self.name or self.id}" if self.owner is None else self.created_by

    def is_expired(self, now: float) -> bool:
        return self.expires_at is not None and datetime.fromisoformat(self.expires_at).timestamp() <= now


@dataclass(frozen=True, slots=True)
class IssuedToken:
    """A new token; nobody sees it again."""

    token: str
    record: TokenRecord


class TokenStore:
    """All tokens of all teams. Blocking."""

    def __init__(self, records: Records, now: Callable[[], float] = time.time) -> None:
        self._store = Store(records, _KIND, TokenRecord)
        self._denied = DeniedSubjects(records, now)
        self._now = now

    def issue(
        self,
        team: TeamId,
        scopes: Iterable[str],
        *,
        name: str,
        created_by: str,
        indices: Iterable[IndexName] | None = None,
        lifetime: float | None = None,
        owner: str | None = None,
    ) -> IssuedToken:
        """Create a token; `lifetime` is in seconds, None for ever. `OwnerDenied` if its owner is denied by now."""
        token = new_token()
        digest = token_digest(token)
        record = TokenRecord(
            id=f"t_{secrets.token_hex(_ID_LENGTH // 2)}",
            digest=digest,
            team=team,
            name=name,
            scopes=tuple(sorted(scopes)),
            indices=None if indices is None else tuple(sorted(indices)),
            created_at=utc_now(),
            created_by=created_by,
            expires_at=None if lifetime is None else _expiry(self._now() + lifetime),
            owner=owner,
        )
        self._store.create(_key(record), record)
        # Whoever denies the owner revokes the tokens after that, so either of the two sees the other.
        if self._is_denied(record):
            self._store.drop(_key(record))
            raise OwnerDenied
        return IssuedToken(token, record)

    def find(self, token: str) -> TokenRecord | None:
        """Return the record of a token that is valid now."""
        return self.find_digest(token_digest(token))

    def find_digest(self, digest: str) -> TokenRecord | None:
        """Return the record of the token with this digest, if it is valid now."""
        # The digest is the key, so time tells an attacker nothing that leads to a token.
        stored = self._store.get(digest)
        if stored is None or not hmac.compare_digest(stored.value.digest, digest):
            return None
        record = stored.value
        return None if record.is_expired(self._now()) or self._is_denied(record) else record

    def of_team(self, team: TeamId) -> list[TokenRecord]:
        """Return a team's tokens, oldest first, expired ones included."""
        return sorted((each for each in self.all() if each.team == team), key=lambda each: (each.created_at, each.id))

    def all(self) -> list[TokenRecord]:
        """Return the tokens of all teams."""
        return [stored.value for stored in self._store.list()]

    def of_owner(self, team: TeamId, owner: str) -> list[TokenRecord]:
        """Return the tokens of a team that this owner made for itself, oldest first, expired ones included."""
        return [record for record in self.of_team(team) if record.owner == owner]

    def revoke(self, team: TeamId, id_: str, owner: str | None = None) -> TokenRecord:
        """Remove a team's token, of this owner if one is given; `UnknownToken` if there is none with this id."""
        for record in self.of_team(team):
            if record.id == id_ and owner in {None, record.owner}:
                self._store.drop(_key(record))
                return record
        raise UnknownToken

    def remove_of_owner(self, owner: str) -> int:
        """Remove what this owner made for itself in all teams; return how many tokens there were."""
        records = [record for record in self.all() if record.owner == owner]
        for record in records:
            self._store.drop(_key(record))
        return len(records)

    def count_by_team(self) -> Mapping[TeamId, int]:
        """Count the tokens of each team."""
        return Counter(record.team for record in self.all())

    def remove_team(self, team: TeamId) -> int:
        """Remove all tokens of a team; return how many there were."""
        records = self.of_team(team)
        for record in records:
            self._store.drop(_key(record))
        return len(records)

    def note_use(self, record: TokenRecord, at: str, client: str) -> None:
        """Remember when and by which program a token was used last; nothing if it was revoked meanwhile."""
        self._store.change(_key(record), lambda latest: replace(latest, last_used_at=at, last_client=client))

    def rename_creator(self, record: TokenRecord, created_by: str) -> None:
        """Say that another one created a token; nothing if it was revoked meanwhile."""
        self._store.change(_key(record), lambda latest: replace(latest, created_by=created_by))

    def _is_denied(self, record: TokenRecord) -> bool:
        return record.owner is not None and self._denied.is_denied(record.owner)


class UnknownToken(NotFound):
    """The team has no token with this id, or its owner is somebody else."""

    def __init__(self) -> None:
        super().__init__(
            "There is no such token",
            action="`trawl token list` and GET /api/v1/tokens list them; GET /api/v1/me/tokens lists your own",
        )


class OwnerDenied(Authorization):
    """The subject that wants a token for itself is on the deny list."""

    def __init__(self) -> None:
        super().__init__("You are denied access to this service", action="Ask the operator of this service")


def _key(record: TokenRecord) -> str:
    return record.digest


def _expiry(seconds: float) -> str:
    return format_utc(datetime.fromtimestamp(seconds, UTC), "seconds")
