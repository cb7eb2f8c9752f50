"""What is recorded of a call: who did what when, and how it ended. Never a query, a text or an address of a page."""

from dataclasses import dataclass
from typing import Final

UNKNOWN: Final = "unknown"
"""The outcome of a call that began and has not ended: its process still works on it, or died."""
NO_TEAM: Final = ""
"""The team of failed authentications; no team has this name, so that only an operator sees them."""


@dataclass(slots=True)
class AuditRecord:
    """One call. A call that changes something has two: one before it runs, and one when it has ended."""

    call: int
    """Identifies the call among those of this process."""
    at: float
    """When it began, in seconds since 1970."""
    team: str
    subject: str
    client: str
    address: str
    operation: str
    object: str
    outcome: str
    seconds: float = 0.0
    bytes: int = 0
    has_ended: bool = True
