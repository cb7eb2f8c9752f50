"""What is looked at before anybody is asked: the question's length and words, and the region."""

import re
import unicodedata
from collections.abc import Sequence
from typing import Final

from indexer.errors import Invalid
from indexer.text.clean import clean_text
from mcp_server.features.web.arguments import SearchWeb
from mcp_server.features.web.regions import REGIONS
from mcp_server.features.web.settings import WebSettings

_SHORTEST: Final = 3
_LONGEST: Final = 400
_CONTROLS: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")
_ELSEWHERE: Final = {"search_index": "Search this team's own indices", "searchLocalArchives": "Search its archives"}


def checked(arguments: SearchWeb, settings: WebSettings) -> SearchWeb:
    """Return the question as it is asked: trimmed, without hidden characters, the region in capitals."""
    query = _CONTROLS.sub(" ", clean_text(arguments.query)).strip()
    if not _SHORTEST <= len(query) <= _LONGEST:
        raise Invalid(
            "Query must be 3-400 characters",
            action="Ask with 3 to 400 characters, blanks at both ends not counted",
            details={"characters": len(query)},
        )
    if any("\ud800" <= character <= "\udfff" for character in query):
        raise Invalid("Query holds half a character", action="Send whole characters, not halves of surrogate pairs")
    _refuse(query, settings.guard_market, "Use polymarket MCP server for market-related queries")
    _refuse(query, settings.guard_feeds, "Use google-news-rss MCP server for RSS feed queries")
    return arguments.model_copy(update={"query": query, "region": _region(arguments.region)})


def found_words(query: str, words: Sequence[str]) -> list[str]:
    """Return those of the words and phrases that stand in a question as whole words, whatever their case."""
    text = _plain(query)
    return [word for word in words if re.search(rf"(?<!\w){_spaced(word)}(?!\w)", text)]


def _refuse(query: str, words: Sequence[str], message: str) -> None:
    if found := found_words(query, words):
        raise Invalid(
            message,
            action="Ask the server that is made for this; if the question is about something else, say it without "
            "the words in details.rejectedKeywords",
            details={"rejectedKeywords": found},
            alternatives=_ELSEWHERE,
        )


def _plain(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()


def _spaced(phrase: str) -> str:
    return r"\s+".join(re.escape(word) for word in _plain(phrase).split())


def _region(given: str | None) -> str | None:
    if given is None:
        return None
    region = given.strip().upper()
    if region not in REGIONS:
        raise Invalid(
            "Region must be a country's two letters as in ISO 3166",
            action='Give a code like "US", "AE" or "GB" (which is the United Kingdom), or leave the region out',
        )
    return region
