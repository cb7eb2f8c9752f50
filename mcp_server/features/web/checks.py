"""Validates a search before it is sent: the length and words of each query, the dates and the region."""

import re
import unicodedata
from collections.abc import Sequence
from datetime import date
from typing import Final

from indexer.errors import Invalid
from indexer.text.clean import clean_text
from mcp_server.features.web.arguments import SearchWeb
from mcp_server.features.web.regions import REGIONS
from mcp_server.features.web.settings import WebSettings

_MIN_QUERY_LENGTH: Final = 3
_MAX_QUERY_LENGTH: Final = 400
_CONTROL_CHARACTERS: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")
_CONSONANT_AND_Y: Final = re.compile(r"[^\W\d_aeiou]y$")
_SIBILANT: Final = re.compile(r"(?:[sxz]|[cs]h)$")
_ALTERNATIVES: Final = {"search_index": "Search this team's own indices", "searchLocalArchives": "Search its archives"}


def validate_arguments(arguments: SearchWeb, settings: WebSettings) -> list[SearchWeb]:
    """Return one search per query, with normalized arguments; equal queries are asked once."""
    if (arguments.query is None) == (arguments.queries is None):
        raise Invalid("Give either query or queries", action="Ask one question by query, or 2 to 4 by queries")
    after = _parse_date("publishedAfter", arguments.publishedAfter)
    before = _parse_date("publishedBefore", arguments.publishedBefore)
    if after is not None and before is not None and after > before:
        raise Invalid(
            "publishedAfter must not be later than publishedBefore", action="Swap the two dates, or leave one out"
        )
    normalized = {"queries": None, "publishedAfter": after, "publishedBefore": before}
    normalized["region"] = _normalize_region(arguments.region)
    queries = [arguments.query] if arguments.query is not None else arguments.queries or []
    unique: dict[str, None] = {}
    for number, query in enumerate(queries, start=1):
        try:
            unique[_normalize_query(query, settings)] = None
        except Invalid as error:
            if len(queries) > 1:
                error.details["queryNumber"] = number
            raise
    return [arguments.model_copy(update={**normalized, "query": query}) for query in unique]


def found_words(query: str, words: Sequence[str]) -> list[str]:
    """Return the words and phrases that a query contains as whole words or their plurals, case-insensitive."""
    text = _normalize(query)
    return [word for word in words if re.search(rf"(?<!\w){_phrase_pattern(word)}(?!\w)", text)]


def _normalize_query(given: str, settings: WebSettings) -> str:
    """Return the query trimmed and without hidden characters."""
    query = _CONTROL_CHARACTERS.sub(" ", clean_text(given)).strip()
    if not _MIN_QUERY_LENGTH <= len(query) <= _MAX_QUERY_LENGTH:
        raise Invalid(
            "Query must be 3-400 characters",
            action="Ask with 3 to 400 characters, blanks at both ends not counted",
            details={"characters": len(query)},
        )
    if any("\ud800" <= character <= "\udfff" for character in query):
        raise Invalid("Query holds half a character", action="Send whole characters, not halves of surrogate pairs")
    _reject_words(query, settings.guard_market, "Use polymarket MCP server for market-related queries")
    _reject_words(query, settings.guard_feeds, "Use google-news-rss MCP server for RSS feed queries")
    return query


def _reject_words(query: str, words: Sequence[str], message: str) -> None:
    if rejected := found_words(query, words):
        raise Invalid(
            message,
            action="Ask the server that is made for this; if the question is about something else, say it without "
            "the words in details.rejectedKeywords",
            details={"rejectedKeywords": rejected},
            alternatives=_ALTERNATIVES,
        )


def _normalize(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()


def _phrase_pattern(phrase: str) -> str:
    *words, last = _normalize(phrase).split()
    return r"\s+".join([*map(re.escape, words), _singular_or_plural(last)])


def _singular_or_plural(word: str) -> str:
    """Return the pattern of a word and its plural: -s, -es after a sibilant, -ies for a -y after a consonant."""
    if _CONSONANT_AND_Y.search(word):
        return rf"{re.escape(word[:-1])}(?:y|ies)"
    return re.escape(word) + ("(?:es)?" if _SIBILANT.search(word) else "s?")


def _parse_date(name: str, value: str | None) -> str | None:
    if value is None:
        return None
    try:
        return date.fromisoformat(value.strip()).isoformat()
    except ValueError:
        raise Invalid(f"{name} must be an ISO date", action="Give a day like 2026-01-31, or leave it out") from None


def _normalize_region(value: str | None) -> str | None:
    if value is None:
        return None
    region = value.strip().upper()
    if region not in REGIONS:
        raise Invalid(
            "Region must be a country's two letters as in ISO 3166",
            action='Give a code like "US", "AE" or "GB" (which is the United Kingdom), or leave the region out',
        )
    return region
