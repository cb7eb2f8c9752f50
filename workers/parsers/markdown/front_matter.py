"""The part between `---` (YAML) or `+++` (TOML) at the head of a Markdown file, and what it declares."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

import yaml

from workers.parsers import identifiers, language
from workers.parsers.builder import Declared
from workers.parsers.cleaning import one_line
from workers.parsers.dates import iso_date

# Strings only, no objects and no surprises: `title: No` stays a title, an impossible date raises nothing.
_LOADER: Final = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
_HEAD: Final = re.compile(
    r"(?:---[ \t]*\n(?P<yaml>.*?\n)??(?:---|\.\.\.)|\+\+\+[ \t]*\n(?P<toml>.*?\n)??\+\+\+)[ \t]*(?:\n|\Z)", re.DOTALL
)
_LONGEST: Final = 100_000
_MOST_BRACKETS: Final = 500
_DEEP_LINE: Final = re.compile(r"(?:[-?][ \t]+){50}")
_MOST: Final = 100
_PLAIN_LINE: Final = re.compile(r"([A-Za-z][\w.-]*)[ \t]*:[ \t]+(.+)")
_DATES: Final = (
    "date",
    "published",
    "ms.date",
    "publish_date",
    "published_at",
    "publishdate",
    "date_published",
    "pubdate",
    "created",
    "created_at",
    "updated",
    "last_updated",
    "lastmod",
    "modified",
)
_NOTHING: Final = frozenset({"", "~", "null", "none"})
_SEPARATORS: Final = re.compile(r"[,;]")


class Head(NamedTuple):
    """What stands above a Markdown body, and how far it reaches."""

    fields: Mapping[str, Any]
    end: int
    lines: int


def split(source: str) -> Head:
    """Find the front matter; a file without one, or whose first rule is just a rule, has none."""
    found = _HEAD.match(source[:_LONGEST]) if source.startswith(("---", "+++")) else None
    if found is None:
        return Head({}, 0, 0)
    fields = _toml(found["toml"] or "") if found[0].startswith("+") else _yaml(found["yaml"] or "")
    if fields is None:
        return Head({}, 0, 0)
    return Head(fields, found.end(), source.count("\n", 0, found.end()))


def declared(fields: Mapping[str, Any]) -> Declared:
    """Read the fields that documents commonly have; names in any case."""
    known = {str(key).lower(): value for key, value in fields.items()}
    dates = (iso_date(text) for key in _DATES for text in _texts(known.get(key)))
    address = next(_first(known, "canonical_url", "canonical", "url", "source_url"), "")
    return Declared(
        title=next(_first(known, "title"), ""),
        date=next((date for date in dates if date), None),
        authors=_listed(known, "author", "authors") or _listed(known, "ms.author"),
        tags=_listed(known, "tags", "keywords", "categories"),
        language=next(filter(None, map(language.declared, _first(known, "lang", "language", "locale"))), None),
        canonical_url=address if address.startswith(("https://", "http://")) else None,
        doi=next(filter(None, map(identifiers.doi, _first(known, "doi"))), None),
    )


def _yaml(source: str) -> Mapping[str, Any] | None:
    try:
        loaded = None if _is_deep(source) else yaml.load(source, Loader=_LOADER)  # noqa: S506 (strings, lists, dicts)
    except (yaml.YAMLError, RecursionError, ValueError):
        loaded = None
    if isinstance(loaded, dict):
        return loaded
    if loaded is not None or not source.strip():
        return None if loaded else {}
    # Often one unquoted colon spoils the whole: the simple lines are still what they seem.
    lines = (_PLAIN_LINE.match(line) for line in source.split("\n"))
    return {line[1]: line[2].strip().strip("\"'") for line in lines if line} or None


def _is_deep(source: str) -> bool:
    """Say whether the nesting could overrun libyaml's stack."""
    return source.count("[") + source.count("{") > _MOST_BRACKETS or _DEEP_LINE.search(source) is not None


def _toml(source: str) -> Mapping[str, Any] | None:
    try:
        return tomllib.loads(source)
    except (tomllib.TOMLDecodeError, RecursionError):
        return None


def _texts(value: object) -> Iterator[str]:
    """Yield the texts in a value: itself, or those of a list, or the names of a list of people."""
    values = value[:_MOST] if isinstance(value, list) else [value]
    for item in values:
        named = item.get("name") if isinstance(item, dict) else item
        text = one_line(str(named)) if isinstance(named, str | int | float) or hasattr(named, "isoformat") else ""
        if text.lower() not in _NOTHING:
            yield text


def _first(known: Mapping[str, Any], *keys: str) -> Iterator[str]:
    return (text for key in keys for text in _texts(known.get(key)))


def _listed(known: Mapping[str, Any], *keys: str) -> tuple[str, ...]:
    """Return the texts of a list, or of a string with commas; each once."""
    texts: dict[str, None] = {}
    for key in keys:
        value = known.get(key)
        for text in _texts(value):
            parts = [text] if isinstance(value, list) else _SEPARATORS.split(text)
            texts.update((part.strip(), None) for part in parts if part.strip())
    return tuple(texts)[:_MOST]
