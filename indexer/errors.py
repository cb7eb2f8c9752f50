"""Expected errors: each has a category, a message for a person or a model, and an action that fixes it."""

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from math import ceil
from typing import Any, ClassVar, Literal, NotRequired

from typing_extensions import TypedDict

Category = Literal[
    "validation",
    "not_found",
    "conflict",
    "authentication",
    "authorization",
    "not_configured",
    "not_applicable",
    "rate_limit",
    "timeout",
    "unavailable",
    "provider",
    "parse",
]


class Fix(TypedDict):
    """What the caller can do, and the call that does it where there is one."""

    required_action: str
    command: NotRequired[str]


class Failure(TypedDict):
    """The one shape in which every expected failure leaves this service."""

    success: Literal[False]
    error: str
    error_category: Category
    code: NotRequired[str]
    """What some clients know this failure by, besides its category."""
    details: dict[str, Any]
    fix: Fix
    alternatives: dict[str, str]


class PlatformError(Exception):
    """The base of all expected errors; `failure()` is its response. Never holds the caller's query or document text."""

    category: ClassVar[Category]

    def __init__(
        self,
        message: str,
        *,
        action: str,
        command: str | None = None,
        details: Mapping[str, Any] | None = None,
        alternatives: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.action = action
        self.command = command
        self.details = dict(details or {})
        self.alternatives = dict(alternatives or {})
        self.code: str | None = None

    def failure(self) -> Failure:
        fix = Fix(required_action=self.action)
        if self.command is not None:
            fix["command"] = self.command
        failure = Failure(
            success=False,
            error=self.message,
            error_category=self.category,
            details=self.details,
            fix=fix,
            alternatives=self.alternatives,
        )
        if self.code is not None:
            failure["code"] = self.code
        return failure


class Invalid(PlatformError):
    """The request violates a rule about text, names, fields or limits."""

    category = "validation"


class NotFound(PlatformError):
    """The named thing does not exist."""

    category = "not_found"


class Conflict(PlatformError):
    """The named thing exists already, or changed concurrently."""

    category = "conflict"


class Authentication(PlatformError):
    """The caller is not authenticated."""

    category = "authentication"


class Authorization(PlatformError):
    """The caller is authenticated but not allowed to do this."""

    category = "authorization"


class NotConfigured(PlatformError):
    """A setting is missing."""

    category = "not_configured"


class NotApplicable(PlatformError):
    """The request does not apply to this thing."""

    category = "not_applicable"


class TimedOut(PlatformError):
    """No complete response arrived before the deadline."""

    category = "timeout"


class Unavailable(PlatformError):
    """A part of the service does not respond."""

    category = "unavailable"


class RateLimited(PlatformError):
    """Too many calls; `details.retry_after_s` says when to retry."""

    category = "rate_limit"

    def __init__(
        self,
        message: str,
        *,
        retry_after: float,
        details: Mapping[str, Any] | None = None,
        alternatives: Mapping[str, str] | None = None,
    ) -> None:
        # Rounded up: a caller that waits so long must not be refused again.
        seconds = max(1, ceil(retry_after))
        super().__init__(
            message,
            action=f"Wait {seconds} seconds, then call again",
            details={**(details or {}), "retry_after_s": seconds},
            alternatives=alternatives,
        )


def closest(name: str, known: Sequence[str], count: int = 3) -> list[str]:
    """Return the known names closest to a mistyped one, best first."""
    return get_close_matches(name[:200], known, n=count, cutoff=0.5)


def printable(value: str, limit: int = 80) -> str:
    """Return a name for an error message: printable, and no longer than the limit."""
    printable = "".join(character if character.isprintable() else "�" for character in value[: limit + 1])
    return printable if len(printable) <= limit else printable[: limit - 1] + "…"


class MissingIndex(Exception):
    """The engine has no such physical index. The caller reads the registry again: a re-index may have replaced it."""


class ExpiredView(PlatformError):
    """A point-in-time view is gone: it expired, the engine restarted, or it belongs to another engine."""

    category = "validation"

    def __init__(self) -> None:
        super().__init__("This cursor has expired", action="Search again without a cursor")
