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
from indexer.errors import NotFound
from indexer.records import Store
from indexer.schema.dates import format_utc, utc_now
from indexer.tenancy import IndexName, TeamId
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

    @property
    def subject(self) -> str:
        """The subject of calls with this token."""
        return f"token:{self.name or self.id}"

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
    ) -> IssuedToken:
        """Create a token; `lifetime` is in seconds, None for ever."""
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
        )
        self._store.create(_key(record), record)
        return IssuedToken(token, record)

    def find(self, token: str) -> TokenRecord | None:
        """Return the record of a token that is valid now."""
        digest = token_digest(token)
        # The digest is the key, so time tells an attacker nothing that leads to a token.
        stored = self._store.get(digest)
        if stored is None or not hmac.compare_digest(stored.value.digest, digest):
            return None
        return None if stored.value.is_expired(self._now()) else stored.value

    def of_team(self, team: TeamId) -> list[TokenRecord]:
        """Return a team's tokens, oldest first, expired ones included."""
        return sorted((each for each in self.all() if each.team == team), key=lambda each: (each.created_at, each.id))

    def all(self) -> list[TokenRecord]:
        """Return the tokens of all teams."""
        return [stored.value for stored in self._store.list()]

    def revoke(self, team: TeamId, id_: str) -> TokenRecord:
        """Remove a team's token; `NotFound` if the team has none with this id."""
        for record in self.of_team(team):
            if record.id == id_:
                self._store.drop(_key(record))
                return record
        raise UnknownToken

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


class UnknownToken(NotFound):
    """The team has no token with this id."""

    def __init__(self) -> None:
        super().__init__("There is no such token", action="`trawl token list` and GET /api/v1/tokens list them")


def _key(record: TokenRecord) -> str:
    return record.digest


def _expiry(seconds: float) -> str:
    return format_utc(datetime.fromtimestamp(seconds, UTC), "seconds")
