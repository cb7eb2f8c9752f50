"""Who asks, and what a team's index is called: the one place where a name becomes a team's name."""

import re
from dataclasses import dataclass
from typing import Final, NewType

from indexer.errors import Invalid

TeamId = NewType("TeamId", str)
IndexName = NewType("IndexName", str)
"""What a user calls an index, lowered and checked."""
PhysicalName = NewType("PhysicalName", str)
"""What an engine calls one generation of an index."""
DocumentId = NewType("DocumentId", str)

DEFAULT_INDEX: Final = IndexName("default")
ARCHIVE_INDEX: Final = IndexName("archive")
_NAME: Final = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}\Z")
_DOCUMENT_ID_BYTES: Final = 512


@dataclass(frozen=True, slots=True)
class Principal:
    """On whose behalf a call is made."""

    team: TeamId
    subject: str


class InvalidIndexName(Invalid):
    """No index can have this name."""

    def __init__(self) -> None:
        super().__init__(
            "Invalid index name",
            action="Use 1 to 64 characters of a-z, 0-9, _ and -, starting with a letter or a digit",
        )


def index_name(given: str) -> IndexName:
    """Lower and check a user's name for a local index."""
    lowered = given.lower()
    if not _NAME.match(lowered):
        raise InvalidIndexName
    return IndexName(lowered)


def document_id(given: str) -> DocumentId:
    """Check an identifier of a document: 1 to 512 bytes of UTF-8 without control characters."""
    try:
        size = len(given.encode())
    except UnicodeEncodeError:
        size = 0
    if not 1 <= size <= _DOCUMENT_ID_BYTES or any(ord(c) < 32 or 127 <= ord(c) < 160 for c in given):
        raise Invalid(
            "Invalid doc_id",
            action=f"Give 1 to {_DOCUMENT_ID_BYTES} bytes of UTF-8 without control characters",
        )
    return DocumentId(given)


def alias(team: TeamId, index: IndexName) -> str:
    """Return the name under which a cluster's own tools find a team's index, whatever its generation."""
    return f"trawl.{team}.{index}"


def physical_name(team: TeamId, index: IndexName, generation: int) -> PhysicalName:
    """Name one generation; no part may contain a dot, so no two teams can meet."""
    return PhysicalName(f"trawl.{team}.{index}.{generation}")
