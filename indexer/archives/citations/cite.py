"""References to a document in the two forms that other programs read: BibTeX and CSL-JSON."""

import re
from typing import Any, Final
from unicodedata import normalize

from indexer.archives.stored import StoredFields
from indexer.tenancy import DocumentId

_SPECIAL: Final = {character: f"\\{character}" for character in "&%$#_{}"} | {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
}
_ISO_DATE: Final = re.compile(r"(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?")
_PARTICLE_SEPARATOR: Final = ","


def bibtex(id_: DocumentId, fields: StoredFields) -> str:
    """Return a `@misc` or `@article` record; its key is made of author, year and title, and so stays readable."""
    records = {
        "title": _escaped(fields["title"]),
        "author": " and ".join(_escaped(author) for author in fields["authors"]),
        "year": _date_parts(fields)[0] if _date_parts(fields) else "",
        "month": _date_parts(fields)[1] if len(_date_parts(fields)) > 1 else "",
        "doi": fields["doi"] or "",
        "url": fields["url"] or "",
        "keywords": ", ".join(_escaped(tag) for tag in fields["tags"]),
        "langid": fields["language"] or "",
        "note": "" if fields["url"] else _escaped(fields["path"]),
    }
    lines = [f"  {name} = {{{value}}}," for name, value in records.items() if value]
    kind = "article" if fields["doi"] else "misc"
    return "\n".join([f"@{kind}{{{_key(id_, fields)},", *lines, "}"])


def csl_json(id_: DocumentId, fields: StoredFields) -> dict[str, Any]:
    """Return one item of CSL-JSON."""
    item: dict[str, Any] = {"id": id_, "type": _csl_type(fields), "title": fields["title"]}
    if fields["authors"]:
        item["author"] = [_name(author) for author in fields["authors"]]
    if parts := _date_parts(fields):
        item["issued"] = {"date-parts": [[int(part) for part in parts]]}
    optional = {"DOI": fields["doi"], "URL": fields["url"], "language": fields["language"]}
    item.update((name, value) for name, value in optional.items() if value)
    if fields["tags"]:
        item["keyword"] = ", ".join(fields["tags"])
    return item


def _csl_type(fields: StoredFields) -> str:
    if fields["doi"]:
        return "article-journal"
    return "webpage" if fields["source"] == "url" else "document"


def _date_parts(fields: StoredFields) -> list[str]:
    found = _ISO_DATE.match(fields["date"] or "")
    return [part for part in found.groups() if part] if found else []


def _name(author: str) -> dict[str, str]:
    """Split a name where its writing says which part is the family's; else leave it whole."""
    family, comma, given = author.partition(_PARTICLE_SEPARATOR)
    if comma:
        return {"family": family.strip(), "given": given.strip()}
    words = author.split()
    if len(words) == 1:
        return {"literal": author}
    return {"family": words[-1], "given": " ".join(words[:-1])}


def _key(id_: DocumentId, fields: StoredFields) -> str:
    family = _name(fields["authors"][0]).get("family", fields["authors"][0]) if fields["authors"] else ""
    year = _date_parts(fields)[0] if _date_parts(fields) else ""
    word = next((word for word in fields["title"].split() if len(word) > 3), "")
    plain = normalize("NFKD", f"{family}{year}{word}").encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]", "", plain) or id_


def _escaped(text: str) -> str:
    return "".join(_SPECIAL.get(character, character) for character in " ".join(text.split()))
