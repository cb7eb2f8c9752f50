"""Renders a bibliographic reference to a document as BibTeX, CSL-JSON or Markdown."""

import re
from typing import Any, Final, assert_never
from unicodedata import normalize
from urllib.parse import quote

from indexer.archives.citations import addresses
from indexer.archives.results import CitationFormat
from indexer.archives.stored import StoredFields
from indexer.tenancy import DocumentId

_ESCAPES: Final = {character: f"\\{character}" for character in "&%$#_{}"} | {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
}
_ISO_DATE: Final = re.compile(r"(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?")
_FAMILY_NAME_SEPARATOR: Final = ","
_MARKDOWN_SYNTAX: Final = re.compile(r"[\\`*_{}\[\]<>&~|$]")
_BLOCK_START: Final = re.compile(r"\A(?:[0-9]{1,9}(?=[.)])|(?=[#+=-]))")
"""What makes the beginning of a line a heading, a list or a rule, up to the character to escape."""
_DOI_RESOLVER: Final = "https://doi.org/"
_KEPT_IN_URLS: Final = "%/:?#[]@!$&'*+,;=~-._"
_ENTITY: Final = re.compile(r"&(?=#?\w+;)")


def render_citation(format_: CitationFormat, id_: DocumentId, fields: StoredFields) -> str | dict[str, Any]:
    """Return the reference in this format."""
    match format_:
        case "bibtex":
            return bibtex(id_, fields)
        case "csl-json":
            return csl_json(id_, fields)
        case "markdown":
            return markdown(fields)
        case _:
            assert_never(format_)


def bibtex(id_: DocumentId, fields: StoredFields) -> str:
    """Return a BibTeX entry: `@article` with a DOI, else `@misc`. Its key has author, year and a word of the title."""
    bibtex_fields = {
        "title": _escape(fields["title"]),
        "author": " and ".join(_escape(author) for author in fields["authors"]),
        "year": _date_parts(fields)[0] if _date_parts(fields) else "",
        "month": _date_parts(fields)[1] if len(_date_parts(fields)) > 1 else "",
        "doi": fields["doi"] or "",
        "url": fields["url"] or "",
        "keywords": ", ".join(_escape(tag) for tag in fields["tags"]),
        "langid": fields["language"] or "",
        "note": "" if fields["url"] else _escape(fields["path"]),
    }
    lines = [f"  {name} = {{{value}}}," for name, value in bibtex_fields.items() if value]
    kind = "article" if fields["doi"] else "misc"
    return "\n".join([f"@{kind}{{{_citation_key(id_, fields)},", *lines, "}"])


def csl_json(id_: DocumentId, fields: StoredFields) -> dict[str, Any]:
    """Return one CSL-JSON item."""
    item: dict[str, Any] = {"id": id_, "type": _csl_type(fields), "title": fields["title"]}
    if fields["authors"]:
        item["author"] = [_parse_name(author) for author in fields["authors"]]
    if parts := _date_parts(fields):
        item["issued"] = {"date-parts": [[int(part) for part in parts]]}
    optional = {"DOI": fields["doi"], "URL": fields["url"], "language": fields["language"]}
    item.update((name, value) for name, value in optional.items() if value)
    if fields["tags"]:
        item["keyword"] = ", ".join(fields["tags"])
    return item


def markdown(fields: StoredFields) -> str:
    """Return one line of Markdown: the title, as a link if the document has a web address, its authors and its date."""
    title = _escape_markdown(fields["title"] or fields["path"])
    url = _markdown_url(fields)
    linked = f"[{title}]({url})" if url else _BLOCK_START.sub(r"\g<0>\\", title, count=1)
    separator = "; " if any(_FAMILY_NAME_SEPARATOR in author for author in fields["authors"]) else ", "
    authors = separator.join(_escape_markdown(author) for author in fields["authors"])
    known = ", ".join(part for part in (authors, "-".join(_date_parts(fields))) if part)
    return f"{linked} \N{EM DASH} {known}" if known else linked


def _csl_type(fields: StoredFields) -> str:
    if fields["doi"]:
        return "article-journal"
    return "webpage" if fields["source"] == "url" else "document"


def _date_parts(fields: StoredFields) -> list[str]:
    match = _ISO_DATE.match(fields["date"] or "")
    return [part for part in match.groups() if part] if match else []


def _parse_name(author: str) -> dict[str, str]:
    """Split "Family, Given" or "Given Family"; a single word stays a literal name."""
    family, comma, given = author.partition(_FAMILY_NAME_SEPARATOR)
    if comma:
        return {"family": family.strip(), "given": given.strip()}
    words = author.split()
    if len(words) == 1:
        return {"literal": author}
    return {"family": words[-1], "given": " ".join(words[:-1])}


def _citation_key(id_: DocumentId, fields: StoredFields) -> str:
    family = _parse_name(fields["authors"][0]).get("family", fields["authors"][0]) if fields["authors"] else ""
    year = _date_parts(fields)[0] if _date_parts(fields) else ""
    word = next((word for word in fields["title"].split() if len(word) > 3), "")
    ascii_text = normalize("NFKD", f"{family}{year}{word}").encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]", "", ascii_text) or id_


def _escape(text: str) -> str:
    return "".join(_ESCAPES.get(character, character) for character in " ".join(text.split()))


def _escape_markdown(text: str) -> str:
    return _MARKDOWN_SYNTAX.sub(r"\\\g<0>", " ".join(text.split()))


def _markdown_url(fields: StoredFields) -> str | None:
    """Return the web address, or else that of the DOI, as the destination of a link; None for other addresses."""
    url = fields["url"]
    if url is None or addresses.exact(url) is None:
        url = f"{_DOI_RESOLVER}{quote(fields['doi'])}" if fields["doi"] else None
    return url and _ENTITY.sub(r"\\&", quote(url.strip(), safe=_KEPT_IN_URLS))
