"""Validates a search before it is sent: the length and words of the query, and the region."""

import re
import unicodedata
from collections.abc import Sequence
from typing import Final

from indexer.errors import Invalid
from indexer.text.clean import clean_text
from mcp_server.features.web.arguments import SearchWeb
from mcp_server.features.web.regions import REGIONS
from mcp_server.features.web.settings import WebSettings

_MIN_QUERY_LENGTH: Final = 3
_MAX_QUERY_LENGTH: Final = 400
_CONTROL_CHARACTERS: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")
_ALTERNATIVES: Final = {"search_index": "Search this team's own indices", "searchLocalArchives": "Search its archives"}


def validate_arguments(arguments: SearchWeb, settings: WebSettings) -> SearchWeb:
    """Return the arguments with the query trimmed, without hidden characters, and the region in capitals."""
    query = _CONTROL_CHARACTERS.sub(" ", clean_text(arguments.query)).strip()
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
    return arguments.model_copy(update={"query": query, "region": _normalize_region(arguments.region)})


def found_words(query: str, words: Sequence[str]) -> list[str]:
    """Return the words and phrases that a query contains as whole words, case-insensitive."""
    text = _normalize(query)
    return [word for word in words if re.search(rf"(?<!\w){_phrase_pattern(word)}(?!\w)", text)]


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
    return r"\s+".join(re.escape(word) for word in _normalize(phrase).split())


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
