"""What is stored of one subject: exported, or erased. For the operator; blocking.

A subject is a token (`token:` and its name or id), a person of an issuer, or a user of this machine (`local:`). Tokens
that a subject made for itself act as it, so they are among its own. The history of web searches names no subject: it
belongs to the team.
"""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any, Literal

from typing_extensions import TypedDict

from indexer.audit.erasure import erase_from_audit, new_pseudonym
from indexer.audit.reading import read_all
from indexer.engines.audit_port import LogFilter
from indexer.library import Library
from indexer.schema.dates import format_utc
from indexer.tenancy import TeamId
from mcp_server.access.session_store import Session, SessionStore
from mcp_server.access.token_store import TokenRecord, TokenStore
from mcp_server.features.account.service import token_entries
from workers.enqueue import Background


class SubjectItem(TypedDict):
    """One thing that is stored of a subject."""

    kind: Literal["token", "created_token", "session", "job", "audit_record"]
    team: str
    """Empty for what belongs to no team: the sessions of an issuer's people."""
    value: Mapping[str, Any]


class ErasedSubject(TypedDict):
    """What was erased, and the pseudonym that stands in the place of the subject."""

    success: Literal[True]
    pseudonym: str
    revoked_tokens: int
    created_tokens: int
    sessions: int
    jobs: int
    audit_records: int


class SubjectData:
    """What is stored of subjects, in one team or in all (None)."""

    def __init__(self, library: Library, background: Background, keys: tuple[bytes, ...], team: TeamId | None) -> None:
        """Take the service's secret keys, the current one first: an erasure in the audit trail is signed."""
        self._library = library
        self._background = background
        self._tokens = TokenStore(library.engine.records)
        self._sessions = SessionStore(library.engine.records)
        self._keys = keys
        self._team = team

    def export(self, subject: str) -> Iterator[SubjectItem]:
        """Yield all that is stored of a subject, its audit records last and oldest first."""
        for record in self._own_tokens(subject):
            yield _token_item("token", record)
        for record in self._created_tokens(subject):
            yield _token_item("created_token", record)
        for session in self._sessions.of_subject(subject, self._team):
            yield _session_item(session)
        for team, job in self._background.of_subject(self._team, subject):
            yield SubjectItem(kind="job", team=team, value=job)
        for entry in read_all(self._library.engine.audit, LogFilter(team=self._team, subject=subject)):
            yield SubjectItem(kind="audit_record", team=entry["team"], value=entry)

    def erase(self, subject: str) -> ErasedSubject:
        """Revoke a subject's own tokens, end its sessions, and put a pseudonym in its place everywhere else.

        Records of its last calls may arrive up to two seconds later; erase again if it was active until now.
        """
        pseudonym = new_pseudonym()
        own, created = self._own_tokens(subject), self._created_tokens(subject)
        for record in own:
            self._tokens.revoke(record.team, record.id)
        for record in created:
            self._tokens.rename_creator(record, pseudonym)
        sessions = self._sessions.of_subject(subject, self._team)
        for session in sessions:
            self._sessions.remove(session.id)
        return ErasedSubject(
            success=True,
            pseudonym=pseudonym,
            revoked_tokens=len(own),
            created_tokens=len(created),
            sessions=len(sessions),
            jobs=self._background.rename_subject(self._team, subject, pseudonym),
            audit_records=erase_from_audit(self._library.engine.audit, self._keys, subject, pseudonym, self._team),
        )

    def _own_tokens(self, subject: str) -> list[TokenRecord]:
        return [record for record in self._of_team() if record.subject == subject]

    def _created_tokens(self, subject: str) -> list[TokenRecord]:
        return [record for record in self._of_team() if record.created_by == subject and record.owner is None]

    def _of_team(self) -> list[TokenRecord]:
        return self._tokens.all() if self._team is None else self._tokens.of_team(self._team)


def _token_item(kind: Literal["token", "created_token"], record: TokenRecord) -> SubjectItem:
    return SubjectItem(kind=kind, team=record.team, value=token_entries([record])[0])


def _session_item(session: Session) -> SubjectItem:
    value = {
        "kind": session.by.kind,
        "created_at": _time(session.created_at),
        "used_at": _time(session.used_at),
    }
    return SubjectItem(kind="session", team=session.team or "", value=value)


def _time(seconds: float) -> str:
    return format_utc(datetime.fromtimestamp(seconds, UTC), "seconds")
