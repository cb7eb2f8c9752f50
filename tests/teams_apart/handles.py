"""Names and ids by which a caller reaches things: those of the other team, and such that nobody has."""

import base64
import re
import secrets
from dataclasses import dataclass, fields, replace
from typing import Final

from mcp_server.document_ids import DocumentKey

MARK: Final = "zqxzzqx"
"""Stands in every text of the other team, and in nothing else."""
NOBODYS: Final = "vjwvvjw"
"""Stands in its place in names that nobody has."""
REDS: Final = "kfykkfy"
"""Stands in its place in what red stores."""


@dataclass(frozen=True, slots=True)
class Handles:
    """One of each kind."""

    team: str
    index: str
    doc_id: str
    word: str
    field: str
    author: str
    quote: str
    path: str
    archive_id: str
    indexed_id: str
    """What `fetch` takes for a document of an index."""
    archived_id: str
    """What `fetch` takes for a document of the archive."""
    job_id: str
    upload_id: str
    token_id: str
    history_id: str
    subject: str
    record_id: str
    partition: str
    bucket: str
    root: str
    index_cursor: str
    archive_cursor: str
    list_cursor: str
    osdu_cursor: str
    audit_cursor: str

    def values(self) -> dict[str, str]:
        """Return all by kind, longest first: one may be a part of another."""
        named = {field.name: str(getattr(self, field.name)) for field in fields(self)}
        return dict(sorted(named.items(), key=lambda each: -len(each[1])))


def alike_with(theirs: Handles, mark: str) -> Handles:
    """Return handles of the same form with another mark, which lead nowhere."""
    texts = {kind: value.replace(MARK, mark) for kind, value in theirs.values().items()}
    archive_id = f"d_{secrets.token_hex((len(theirs.archive_id) - 2) // 2)}"
    unknown = Handles(**texts)
    return replace(
        unknown,
        archive_id=archive_id,
        indexed_id=DocumentKey("indices", unknown.index, unknown.doc_id).encode(),
        archived_id=DocumentKey("archive", None, archive_id).encode(),
        job_id=_other_hex(theirs.job_id),
        upload_id=_other_hex(theirs.upload_id),
        token_id=_other_hex(theirs.token_id),
        history_id=_other_hex(theirs.history_id),
        **{
            kind: base64.urlsafe_b64encode(secrets.token_bytes(len(texts[kind])))[: len(texts[kind])].decode()
            for kind in ("index_cursor", "archive_cursor", "list_cursor", "osdu_cursor", "audit_cursor")
        },
    )


def _other_hex(id_: str) -> str:
    """Return an id of the same form with other digits."""
    return re.sub(r"[0-9a-f]{6,}$", lambda match: secrets.token_hex(len(match[0]))[: len(match[0])], id_)
