"""What an operator does about one subject, on the store itself: export, erase, deny, allow. Blocking."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypedDict

from app.cli.host_access import host_keys, host_library, host_trail, operator
from app.settings import AppSettings
from indexer.audit.record import NO_TEAM
from indexer.environment import read_settings
from indexer.errors import Invalid, NotConfigured
from indexer.library import Library
from indexer.tenancy import TeamId, team_id
from mcp_server.access.denied_subjects import DeniedSubject, DeniedSubjects, subject_key
from mcp_server.access.lifetime import parse_lifetime
from mcp_server.access.token_store import TokenStore
from mcp_server.audit.operator_audit import audited
from mcp_server.features.account.subject_data import ErasedSubject, SubjectData
from workers.enqueue import Background
from workers.settings import WorkerSettings


class Denied(TypedDict):
    """A subject that is refused, with the key by which the audit and its own tokens name it."""

    issuer: str
    subject: str
    denied_at: str
    denied_by: str
    until: str
    key: str


class NewlyDenied(Denied):
    """A subject that is refused from now on, and how many tokens that it had made for itself are revoked."""

    revoked_tokens: int


@contextmanager
def subject_data(team: str | None) -> Iterator[SubjectData]:
    """Open what is stored of subjects, in one team or in all."""
    checked = _checked_team(team)
    with host_library() as library:
        yield _subject_data(library, checked)


def erase_subject(subject: str, team: str | None) -> ErasedSubject:
    """Erase a subject. The audit of this names its pseudonym alone."""
    checked = _checked_team(team)
    with (
        host_library() as library,
        host_trail(library) as trail,
        audited(trail, "subject_erase", team=checked or NO_TEAM, subject=operator()) as record,
    ):
        erased = _subject_data(library, checked).erase(subject)
        record.object = erased["pseudonym"]
    return erased


def deny_subject(subject: str, duration: str) -> NewlyDenied:
    """Refuse a subject of the issuer from now on, and revoke the tokens that it made for itself: they live longer."""
    issuer, seconds = _issuer_of(subject), parse_lifetime(duration)
    with _audited_list("subject_deny", issuer, subject) as library:
        denied = DeniedSubjects(library.engine.records).deny(issuer, subject, seconds=seconds, denied_by=operator())
        # After the denial: from then on, the subject makes no other token.
        revoked = TokenStore(library.engine.records).remove_of_owner(subject_key(issuer, subject))
        return NewlyDenied(**_shown(denied), revoked_tokens=revoked)


def allow_subject(subject: str) -> bool:
    """Accept a subject of the issuer again; False if it was not refused."""
    issuer = _issuer_of(subject)
    with _audited_list("subject_allow", issuer, subject) as library:
        denied = DeniedSubjects(library.engine.records)
        was_denied = denied.is_denied(subject_key(issuer, subject))
        denied.allow(issuer, subject)
    return was_denied


def denied_subjects() -> list[Denied]:
    """Return the subjects of all issuers that are refused now."""
    with host_library() as library:
        return [_shown(each) for each in DeniedSubjects(library.engine.records).all()]


@contextmanager
def _audited_list(operation: str, issuer: str, subject: str) -> Iterator[Library]:
    with (
        host_library() as library,
        host_trail(library) as trail,
        audited(trail, operation, team=NO_TEAM, subject=operator()) as record,
    ):
        # Not the name: an erasure does not find it there.
        record.object = subject_key(issuer, subject)
        yield library


def _subject_data(library: Library, team: TeamId | None) -> SubjectData:
    return SubjectData(library, Background(library, read_settings(WorkerSettings)), host_keys(), team)


def _checked_team(team: str | None) -> TeamId | None:
    return None if team is None else team_id(team)


def _issuer_of(subject: str) -> str:
    if subject.startswith("token:"):
        raise Invalid("This is a token of Trawl's own", action="Revoke it with `trawl token revoke ID`")
    issuer = read_settings(AppSettings).oidc_issuer
    if issuer is None:
        raise NotConfigured(
            "TRAWL_OIDC_ISSUER is not set, so there are no subjects to deny",
            action="Set it as the service has it",
        )
    return issuer


def _shown(denied: DeniedSubject) -> Denied:
    return Denied(
        issuer=denied.issuer,
        subject=denied.subject,
        denied_at=denied.denied_at,
        denied_by=denied.denied_by,
        until=denied.until,
        key=subject_key(denied.issuer, denied.subject),
    )
