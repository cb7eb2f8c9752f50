"""Sessions of browsers: who signed in, by what, and until when. Of a cookie only its SHA-256 is kept."""

import hashlib
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Annotated, Final, Literal

from pydantic import Discriminator

from indexer.engines.record_port import Records
from indexer.records import Store
from indexer.tenancy import TeamId

_KIND: Final = "sessions"
_COOKIE_BYTES: Final = 32
IDLE_SECONDS: Final = 12 * 3_600
"""A session ends when nobody used it for so long."""
LONGEST_SECONDS: Final = 30 * 86_400
"""A session ends after this time in any case."""
_NOTE_SECONDS: Final = 300
"""The use of a session is noted no more often than this."""


@dataclass(frozen=True, slots=True)
class TokenSignIn:
    """A sign-in with one of Trawl's own tokens. The session allows what the token allows, while that is valid."""

    digest: str
    team: TeamId
    kind: Literal["token"] = "token"


@dataclass(frozen=True, slots=True)
class IssuerSignIn:
    """A sign-in at the issuer. The session holds the tokens that it issued."""

    sealed: str
    """The tokens, which only processes with the service's key can read."""
    expires_at: float
    """When the access token expires."""
    renewing_until: float = 0.0
    """Until then one process alone renews the tokens: an issuer may take a refresh token only once."""
    kind: Literal["issuer"] = "issuer"


@dataclass(frozen=True, slots=True)
class Session:
    """One browser in which somebody is signed in. Times are in seconds since 1970."""

    id: str
    subject: str
    by: Annotated[TokenSignIn | IssuerSignIn, Discriminator("kind")]
    created_at: float
    used_at: float

    @property
    def team(self) -> TeamId | None:
        """The team of its token; None for a person of the issuer, who names one in each request."""
        return self.by.team if isinstance(self.by, TokenSignIn) else None

    def is_over(self, now: float) -> bool:
        return now >= min(self.used_at + IDLE_SECONDS, self.created_at + LONGEST_SECONDS)


def new_cookie() -> str:
    """Return a random value for a cookie."""
    return secrets.token_urlsafe(_COOKIE_BYTES)


def session_id(cookie: str) -> str:
    """Return the id of the session with this cookie. It has 256 random bits, so it needs neither salt nor slow hash."""
    return hashlib.sha256(cookie.encode("utf-8", "surrogatepass")).hexdigest()


class SessionStore:
    """All sessions, shared by all processes. Blocking."""

    def __init__(self, records: Records, now: Callable[[], float] = time.time) -> None:
        self._store = Store(records, _KIND, Session)
        self._now = now

    def create(self, id_: str, subject: str, by: TokenSignIn | IssuerSignIn) -> Session:
        now = self._now()
        session = Session(id_, subject, by, created_at=now, used_at=now)
        self._store.create(id_, session)
        return session

    def find(self, id_: str) -> Session | None:
        """Return a session; None if there is none or it is over."""
        stored = self._store.get(id_)
        return None if stored is None or stored.value.is_over(self._now()) else stored.value

    def is_noted(self, session: Session) -> bool:
        """Say whether it is known well enough when a session was used last."""
        return self._now() - session.used_at < _NOTE_SECONDS

    def note_use(self, id_: str) -> None:
        """Remember that a session is in use, unless it has ended meanwhile."""
        now = self._now()
        self._store.change(id_, lambda latest: replace(latest, used_at=now))

    def lease_renewal(self, id_: str, seconds: float, *, due_at: float) -> IssuerSignIn | None:
        """Let this caller alone renew the tokens; None if another one does, or they need it no more.

        Tokens that expire before `due_at` need it.
        """
        now = self._now()

        def lease(latest: Session) -> Session | None:
            by = latest.by
            if not isinstance(by, IssuerSignIn) or by.expires_at > due_at or by.renewing_until > now:
                return None
            return replace(latest, by=replace(by, renewing_until=now + seconds))

        stored = self._store.change(id_, lease)
        return stored.value.by if stored is not None and isinstance(stored.value.by, IssuerSignIn) else None

    def put_tokens(self, id_: str, by: IssuerSignIn) -> bool:
        """Store renewed tokens; False if the session has ended meanwhile."""
        return self._store.change(id_, lambda latest: replace(latest, by=by)) is not None

    def remove(self, id_: str) -> None:
        """End a session."""
        self._store.drop(id_)

    def remove_over(self) -> None:
        """Remove the sessions that are over."""
        now = self._now()
        for stored in self._store.list():
            if stored.value.is_over(now):
                self._store.remove(stored)

    def of_subject(self, subject: str, team: TeamId | None) -> list[Session]:
        """Return a subject's sessions, in one team or in all (None). Those of an issuer's people belong to no team."""
        return [each for each in self._all() if each.subject == subject and (team is None or each.team == team)]

    def remove_team(self, team: TeamId) -> int:
        """Remove the sessions by tokens of a team; return how many there were."""
        removed = [each for each in self._all() if each.team == team]
        for session in removed:
            self._store.drop(session.id)
        return len(removed)

    def _all(self) -> list[Session]:
        return [stored.value for stored in self._store.list()]
