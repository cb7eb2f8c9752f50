"""The metadata of a page: meta elements, JSON-LD, `<time>`, `<link rel=canonical>`."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final
from urllib.parse import urljoin

import orjson

from workers.parsers import identifiers
from workers.parsers.builder import DeclaredMetadata
from workers.parsers.cleaning import one_line
from workers.parsers.dates import iso_date
from workers.parsers.language import parse_language_tag

_DATES: Final = (
    "article:published_time",
    "citation_publication_date",
    "citation_date",
    "citation_online_date",
    "dc.date",
    "dc.date.issued",
    "dcterms.date",
    "dcterms.issued",
    "date",
    "pubdate",
    "publish_date",
    "ms.date",
    "datepublished",
)
_MODIFIED_DATES: Final = ("article:modified_time", "og:updated_time", "last-modified", "dcterms.modified")
_AUTHORS: Final = ("citation_author", "dc.creator", "dcterms.creator", "author", "article:author", "parsely-author")
_DOIS: Final = ("citation_doi", "dc.identifier", "dcterms.identifier", "prism.doi", "doi", "bepress_citation_doi")
_TAGS: Final = ("citation_keywords", "article:tag", "keywords", "dc.subject")
_WEB_SCHEMES: Final = ("https://", "http://")
_MAX_VALUES: Final = 100
_MAX_JSON_LD_LENGTH: Final = 500_000


def base_url(page: Any) -> str:
    """Return the address of `<base>`, against which relative links resolve, or an empty string."""
    element = next(page.iter("base"), None)
    address = (element.get("href") or "") if element is not None else ""
    return address if address.startswith(_WEB_SCHEMES) else ""


def read_metadata(page: Any) -> DeclaredMetadata:
    """Collect title, date, authors, tags, language, canonical address and DOI."""
    metas = _metas(page)
    data = list(_json_ld(page))
    dates = (
        *_values(metas, _DATES),
        *_json_ld_values(data, "datePublished", "dateCreated"),
        *(time.get("datetime") or time.text or "" for time in page.iter("time")),
        *_values(metas, _MODIFIED_DATES),
        *_json_ld_values(data, "dateModified"),
    )
    return DeclaredMetadata(
        title=_title(page, metas),
        date=next(filter(None, map(iso_date, dates)), None),
        authors=_authors(metas, data),
        tags=_tags(metas),
        language=parse_language_tag(page.get("lang") or page.get("{http://www.w3.org/XML/1998/namespace}lang") or "")
        or next(filter(None, map(parse_language_tag, _values(metas, ("og:locale", "content-language")))), None),
        canonical_url=_canonical(page, metas),
        doi=next(filter(None, map(identifiers.doi, _values(metas, _DOIS))), None),
    )


def _metas(page: Any) -> Mapping[str, list[str]]:
    metas: dict[str, list[str]] = defaultdict(list)
    for meta in page.iter("meta"):
        name = meta.get("name") or meta.get("property") or meta.get("itemprop") or meta.get("http-equiv")
        content = one_line(meta.get("content") or "", 2_000)
        if name and content and len(metas[name.lower()]) < _MAX_VALUES:
            metas[name.lower()].append(content)
    return metas


def _values(metas: Mapping[str, list[str]], names: Iterable[str]) -> Iterator[str]:
    return (value for name in names for value in metas.get(name, ()))


def _title(page: Any, metas: Mapping[str, list[str]]) -> str:
    for element in page.iter("title"):
        if element.getparent() is None or element.getparent().tag in {"head", "html", "body"}:
            title = one_line("".join(element.itertext()))
            if title:
                return title
    return next(map(one_line, _values(metas, ("og:title", "citation_title", "dc.title", "twitter:title"))), "")


def _canonical(page: Any, metas: Mapping[str, list[str]]) -> str | None:
    links = (
        link.get("href") or "" for link in page.iter("link") if "canonical" in (link.get("rel") or "").lower().split()
    )
    for address in (*links, *_values(metas, ("og:url", "citation_public_url"))):
        url = urljoin(base_url(page), one_line(address, 2_000))
        if url.startswith(_WEB_SCHEMES):
            return url
    return None


def _authors(metas: Mapping[str, list[str]], data: list[Mapping[str, Any]]) -> tuple[str, ...]:
    for name in _AUTHORS:
        authors = dict.fromkeys(value for value in metas.get(name, ()) if not value.startswith(_WEB_SCHEMES))
        if authors:
            return tuple(authors)
    return tuple(dict.fromkeys(_json_ld_values(data, "author", "creator")))[:_MAX_VALUES]


def _tags(metas: Mapping[str, list[str]]) -> tuple[str, ...]:
    parts = (part.strip() for value in _values(metas, _TAGS) for part in value.replace(";", ",").split(","))
    return tuple(dict.fromkeys(filter(None, parts)))[:_MAX_VALUES]


def _json_ld(page: Any) -> Iterator[Mapping[str, Any]]:
    """Yield the objects of JSON-LD, including those of a graph; invalid JSON is ignored."""
    for script in page.iter("script"):
        if (script.get("type") or "").lower() != "application/ld+json" or len(script.text or "") > _MAX_JSON_LD_LENGTH:
            continue
        try:
            loaded = orjson.loads((script.text or "").encode("utf-8", "replace"))
        except orjson.JSONDecodeError:
            continue
        for item in loaded if isinstance(loaded, list) else [loaded]:
            if isinstance(item, dict):
                yield item
                graph = item.get("@graph")
                yield from (node for node in graph if isinstance(node, dict)) if isinstance(graph, list) else ()


def _json_ld_values(data: Iterable[Mapping[str, Any]], *keys: str) -> Iterator[str]:
    for item in data:
        for key in keys:
            value = item.get(key)
            for part in value[:_MAX_VALUES] if isinstance(value, list) else [value]:
                text = part.get("name") if isinstance(part, dict) else part
                if isinstance(text, str) and one_line(text):
                    yield one_line(text)
