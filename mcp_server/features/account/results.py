"""Results of the operations on accounts and tokens."""

from typing import Literal

from typing_extensions import TypedDict

from indexer.audit.reading import AuditEntry
from mcp_server.access.limits.entry import LimitEntry


class AccountResult(TypedDict):
    """Who the caller is, and what it may do."""

    success: Literal[True]
    team: str
    teams: list[str]
    subject: str
    scopes: list[str]
    indices: list[str] | None
    limits: dict[str, LimitEntry]
    """By name: calls_per_minute, calls_burst, searches, documents, bytes, indices, jobs."""


class TokenEntry(TypedDict):
    """What is known of a token; the token itself is not."""

    id: str
    name: str
    team: str
    scopes: list[str]
    indices: list[str] | None
    created_at: str
    created_by: str
    expires_at: str | None
    last_used_at: str | None
    last_client: str


class TokensResult(TypedDict):
    """The team's tokens, oldest first."""

    success: Literal[True]
    tokens: list[TokenEntry]


class AuditResult(TypedDict):
    """Calls of the team, newest first."""

    success: Literal[True]
    records: list[AuditEntry]
    next_cursor: str | None


class NewToken(TypedDict):
    """A new token, which is shown only now."""

    id: str
    token: str
    team: str
    scopes: list[str]
    name: str
    indices: list[str] | None
    expires_at: str | None


class CreatedToken(NewToken):
    """The answer to a request for a token."""

    success: Literal[True]


class RevokedToken(TypedDict):
    """The token no longer works, in any process, within a second."""

    success: Literal[True]
    status: Literal["revoked"]
    id: str
