"""Teams and names: the principal of a call, and the names of indices, physical indices and documents."""

import re
from dataclasses import dataclass
from typing import Final, NewType

from indexer.errors import Invalid

TeamId = NewType("TeamId", str)
IndexName = NewType("IndexName", str)
"""A user's name for an index, lowercased and checked."""
PhysicalName = NewType("PhysicalName", str)
"""The engine's name for one generation of an index."""
DocumentId = NewType("DocumentId", str)

DEFAULT_INDEX: Final = IndexName("default")
ARCHIVE_INDEX: Final = IndexName("archive")
LOCAL_CREDENTIAL: Final = "local"
"""Stands for the token of commands on the host, which need none."""
_NAME: Final = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}\Z")
_MAX_DOCUMENT_ID_BYTES: Final = 512


@dataclass(frozen=True, slots=True)
class Principal:
    """Who makes a call: a subject of a team, what it may do, and by which credential and program it came."""

    team: TeamId
    subject: str
    scopes: frozenset[str] = frozenset()
    indices: frozenset[IndexName] | None = None
    """The only indices that it may use; None for all of the team's. `archive` stands for the archive."""
    teams: tuple[TeamId, ...] = ()
    """All teams of the subject, if it has several to choose from."""
    credential: str = ""
    """Identifies the token among others, and is no secret."""
    signed_in: bool = False
    """Whether the issuer said who it is, and no token of Trawl's own."""
    owner: str = ""
    """The credential of the subject that made this token for itself; empty for every other credential."""
    client: str = ""
    """The program that called, as it names itself."""
    address: str = ""
    """The network address that the call came from."""

    @property
    def is_local(self) -> bool:
        """Whether it came without a token: anybody while authentication is off, or a command on the host."""
        return self.credential in ("", LOCAL_CREDENTIAL)

    def may_use(self, index: IndexName) -> bool:
        """Say whether this index is among those that it may use."""
        return self.indices is None or index in self.indices


class InvalidIndexName(Invalid):
    """The name is not allowed for an index."""

    def __init__(self) -> None:
        super().__init__(
            "Invalid index name",
            action="Use 1 to 64 characters of a-z, 0-9, _ and -, starting with a letter or a digit",
        )


def index_name(name: str) -> IndexName:
    """Lowercase and check a user's name for an index."""
    lowered = name.lower()
    if not _NAME.match(lowered):
        raise InvalidIndexName
    return IndexName(lowered)


def team_id(name: str) -> TeamId:
    """Check the name of a team; it is part of the names of physical indices, so it has no dot."""
    if not _NAME.match(name):
        raise Invalid(
            "Invalid team name",
            action="Use 1 to 64 characters of a-z, 0-9, _ and -, starting with a letter or a digit",
        )
    return TeamId(name)


def document_id(id_: str) -> DocumentId:
    """Check a document's ID: 1 to 512 bytes of UTF-8 without control characters."""
    try:
        size = len(id_.encode())
    except UnicodeEncodeError:
        size = 0
    if not 1 <= size <= _MAX_DOCUMENT_ID_BYTES or any(ord(c) < 32 or 127 <= ord(c) < 160 for c in id_):
        raise Invalid(
            "Invalid doc_id",
            action=f"Give 1 to {_MAX_DOCUMENT_ID_BYTES} bytes of UTF-8 without control characters",
        )
    return DocumentId(id_)


def alias(team: TeamId, index: IndexName) -> str:
    """Return the alias of the serving generation, for tools of the cluster; Trawl itself reads by physical name."""
    return f"trawl.{team}.{index}"


def physical_name(team: TeamId, index: IndexName, generation: int) -> PhysicalName:
    """Return the name of one generation. No part may contain a dot, so names of two teams never collide."""
    return PhysicalName(f"trawl.{team}.{index}.{generation}")
