"""Front matter: the metadata between `---` (YAML) or `+++` (TOML) at the head of a Markdown file."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

import yaml

from workers.parsers import identifiers
from workers.parsers.builder import DeclaredMetadata
from workers.parsers.cleaning import one_line
from workers.parsers.dates import iso_date
from workers.parsers.language import parse_language_tag

# This loader makes strings only: `title: No` stays a title, and an invalid date raises nothing.
_LOADER: Final = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
_FRONT_MATTER: Final = re.compile(
    r"(?:---[ \t]*\n(?P<yaml>.*?\n)??(?:---|\.\.\.)|\+\+\+[ \t]*\n(?P<toml>.*?\n)??\+\+\+)[ \t]*(?:\n|\Z)", re.DOTALL
)
_MAX_LENGTH: Final = 100_000
_MAX_BRACKETS: Final = 500
_DEEPLY_NESTED_LINE: Final = re.compile(r"(?:[-?][ \t]+){50}")
_MAX_VALUES: Final = 100
_SIMPLE_FIELD: Final = re.compile(r"([A-Za-z][\w.-]*)[ \t]*:[ \t]+(.+)")
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
_EMPTY_VALUES: Final = frozenset({"", "~", "null", "none"})
_SEPARATORS: Final = re.compile(r"[,;]")


class FrontMatter(NamedTuple):
    """The fields above a Markdown body, and the length of that part."""

    fields: Mapping[str, Any]
    end: int
    """Where the body begins."""
    lines: int


def split(source: str) -> FrontMatter:
    """Return the front matter, which is empty if the file has none or begins with a thematic break."""
    match = _FRONT_MATTER.match(source[:_MAX_LENGTH]) if source.startswith(("---", "+++")) else None
    if match is None:
        return FrontMatter({}, 0, 0)
    fields = _load_toml(match["toml"] or "") if match[0].startswith("+") else _load_yaml(match["yaml"] or "")
    if fields is None:
        return FrontMatter({}, 0, 0)
    return FrontMatter(fields, match.end(), source.count("\n", 0, match.end()))


def read_metadata(fields: Mapping[str, Any]) -> DeclaredMetadata:
    """Return the metadata in the common fields; case does not matter in their names."""
    lowered = {str(key).lower(): value for key, value in fields.items()}
    dates = (iso_date(text) for key in _DATES for text in _texts(lowered.get(key)))
    address = next(_field_texts(lowered, "canonical_url", "canonical", "url", "source_url"), "")
    return DeclaredMetadata(
        title=next(_field_texts(lowered, "title"), ""),
        date=next((date for date in dates if date), None),
        authors=_list_values(lowered, "author", "authors") or _list_values(lowered, "ms.author"),
        tags=_list_values(lowered, "tags", "keywords", "categories"),
        language=next(filter(None, map(parse_language_tag, _field_texts(lowered, "lang", "language", "locale"))), None),
        canonical_url=address if address.startswith(("https://", "http://")) else None,
        doi=next(filter(None, map(identifiers.doi, _field_texts(lowered, "doi"))), None),
    )


def _load_yaml(source: str) -> Mapping[str, Any] | None:
    try:
        loaded = None if _is_too_deep(source) else yaml.load(source, Loader=_LOADER)  # noqa: S506 (strings, lists, dicts)
    except (yaml.YAMLError, RecursionError, ValueError):
        loaded = None
    if isinstance(loaded, dict):
        return loaded
    if loaded is not None or not source.strip():
        return None if loaded else {}
    # One unquoted colon often makes the YAML invalid; its simple lines can still be read.
    lines = (_SIMPLE_FIELD.match(line) for line in source.split("\n"))
    return {line[1]: line[2].strip().strip("\"'") for line in lines if line} or None


def _is_too_deep(source: str) -> bool:
    """Return whether the nesting could overflow libyaml's stack."""
    return source.count("[") + source.count("{") > _MAX_BRACKETS or _DEEPLY_NESTED_LINE.search(source) is not None


def _load_toml(source: str) -> Mapping[str, Any] | None:
    try:
        return tomllib.loads(source)
    except (tomllib.TOMLDecodeError, RecursionError):
        return None


def _texts(value: object) -> Iterator[str]:
    """Yield the texts of a value: a scalar, the items of a list, or the names of a list of people."""
    values = value[:_MAX_VALUES] if isinstance(value, list) else [value]
    for item in values:
        scalar = item.get("name") if isinstance(item, dict) else item
        text = one_line(str(scalar)) if isinstance(scalar, str | int | float) or hasattr(scalar, "isoformat") else ""
        if text.lower() not in _EMPTY_VALUES:
            yield text


def _field_texts(lowered: Mapping[str, Any], *keys: str) -> Iterator[str]:
    return (text for key in keys for text in _texts(lowered.get(key)))


def _list_values(lowered: Mapping[str, Any], *keys: str) -> tuple[str, ...]:
    """Return the distinct texts of a list, or of a string with commas or semicolons."""
    texts: dict[str, None] = {}
    for key in keys:
        value = lowered.get(key)
        for text in _texts(value):
            parts = [text] if isinstance(value, list) else _SEPARATORS.split(text)
            texts.update((part.strip(), None) for part in parts if part.strip())
    return tuple(texts)[:_MAX_VALUES]
