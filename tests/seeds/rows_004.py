"""The questions, answers, failures and deviations of the document on web search, by its lines."""

from typing import Any, Final

from tests.seeds.requirements import Deviation
from tests.upstreams.openai import Answer, error

MARKET: Final = "Use polymarket MCP server for market-related queries"
FEEDS: Final = "Use google-news-rss MCP server for RSS feed queries"
LENGTH: Final = "Query must be 3-400 characters"

RESULT: Final[dict[str, type]] = {
    "text": str,
    "citations": list,
    "provider": str,
    "respondedAt": str,
    "usage": dict,
}
CITATION: Final[dict[str, type]] = {
    "url": str,
    "title": str,
    "textSnippet": str,
    "startIndex": int,
    "endIndex": int,
    "rank": int,
}

ARGUMENTS: Final[list[tuple[str, str, str, Any, dict[str, Any]]]] = [
    ("121,245,489-490", "query: a string", "query", None, {"type": "string"}),
    ("122,246", "maxResults: 1 to 8, default 5", "maxResults", 5, {"type": "integer", "minimum": 1, "maximum": 8}),
    (
        "123,247",
        "freshnessHours: optional, 1 to 168",
        "freshnessHours",
        None,
        {"type": "integer", "minimum": 1, "maximum": 168},
    ),
    ("124,248", "region: an optional ISO country code", "region", None, {"type": "string"}),
    ("125,249", "includeAnswers: default true", "includeAnswers", True, {"type": "boolean"}),
    ("662", "Filtering by a range of dates, from", "publishedAfter", None, {"type": "string"}),
    ("662", "Filtering by a range of dates, to", "publishedBefore", None, {"type": "string"}),
    (
        "665",
        "Specialized types of search: news, academic",
        "type",
        "general",
        {"type": "string", "enum": ["general", "news", "academic"]},
    ),
]
BREAKING: Final[list[tuple[str, str, dict[str, Any]]]] = [
    ("122,530", "maxResults 0 is refused", {"maxResults": 0}),
    ("122,530", "maxResults 9 is refused", {"maxResults": 9}),
    ("123,530", "freshnessHours 0 is refused", {"freshnessHours": 0}),
    ("123,530", "freshnessHours 169 is refused", {"freshnessHours": 169}),
    ("125,530", "includeAnswers that is no boolean is refused", {"includeAnswers": "perhaps"}),
    ("165,530", "An unknown argument is refused", {"pages": 3}),
]
WITHIN: Final[list[tuple[str, str, dict[str, Any]]]] = [
    ("121,322,490", "A query of 3 characters is asked", {"query": "eel"}),
    ("121,322,490", "A query of 400 characters is asked", {"query": "x" * 400}),
    ("121,321", "A query is trimmed before it is measured", {"query": f"  {'x' * 400}  "}),
    ("122", "maxResults 1 and 8 are allowed", {"query": "are eels well", "maxResults": 8}),
    ("123", "freshnessHours 168 is allowed", {"query": "are eels well", "freshnessHours": 168}),
    ("124", "Region AE, from the example", {"query": "are eels well", "region": "AE"}),
]
_REFUSED: Final[list[tuple[str, str, dict[str, Any], str]]] = [
    ("121,320-327,490", "A query of 2 characters is refused", {"query": "ee"}, LENGTH),
    ("121,320-327,490", "A query of 401 characters is refused", {"query": "x" * 401}, LENGTH),
    ("121,321", "Blanks around a query do not count", {"query": "  ee  "}, LENGTH),
    (
        "124,166",
        "A region that is no country is refused",
        {"query": "are eels well", "region": "Utopia"},
        "Region must be a country's two letters as in ISO 3166",
    ),
]
_WORDS: Final[list[tuple[str, str, str, str]]] = [
    *(
        ("156,287-290,302-309,491,528", f"Questions with {word!r} go to the polymarket server", word, MARKET)
        for word in ("market", "polymarket", "prediction", "event", "liquidity", "volume", "position", "bet", "odds")
    ),
    *(
        ("157,292-294,311-318,492,529", f"Questions with {word!r} go to the google-news-rss server", word, FEEDS)
        for word in ("rss", "feed", "google news", "news feed", "subscribe")
    ),
    *(
        ("303", f"{plural!r}, which contains a word of the list", plural, MARKET)
        for plural in ("bitcoin markets", "election bets", "trading volumes", "predictions", "events", "positions")
    ),
    *(
        ("312", f"{plural!r}, which contains a word of the list", plural, FEEDS)
        for plural in ("news feeds", "RSS feeds")
    ),
]

REFUSED: Final = [
    *_REFUSED,
    *((lines, asked, {"query": f"Tell me about {word.upper()}"}, message) for lines, asked, word, message in _WORDS),
]
TRACKING: Final[list[tuple[str, str, str]]] = [
    ("167,418,493", f"{name} is stripped from addresses", name)
    for name in ("utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content", "ref", "fbclid")
]

MESSAGES: Final = {
    "AUTH": "Authentication failed",
    "RATE_LIMIT": "Rate limit exceeded",
    "PROVIDER": "Provider error",
    "PARSE": "Invalid response format",
}
LIMITED: Final = ("RATE_LIMIT", "rate_limit", "Rate limit exceeded")
INSTRUCTIONS: Final = ("web_search", "at most 3 sources", "time of publication", "800 characters")
_NO_MESSAGE: Final = Answer("search_alone")
ERRORS: Final[list[tuple[str, str, Answer, int, tuple[str, str]]]] = [
    ("215,223,433,503,511", "500: tried twice", error(500), 2, ("PROVIDER", "provider")),
    ("213,226,427,501", "401: not tried again", error(401), 1, ("AUTH", "authentication")),
    ("215,223,433,503", "502: tried twice", error(502), 2, ("PROVIDER", "provider")),
    ("213,226,427,501", "403: not tried again", error(403), 1, ("AUTH", "authentication")),
    ("215,223,433,503", "503: tried twice", error(503), 2, ("PROVIDER", "provider")),
    ("214,222,430,502,511", "429: tried twice", error(429), 2, ("RATE_LIMIT", "rate_limit")),
    ("226,436", "400: not tried again", error(400), 1, ("PROVIDER", "provider")),
    ("226,436", "404: not tried again", error(404), 1, ("PROVIDER", "provider")),
    ("215", "A network error is the provider's failure", Answer(hang_up=True), 1, ("PROVIDER", "unavailable")),
    ("193-194,217,228,504", "No JSON: not tried again", Answer(body=b"<html>"), 1, ("PARSE", "parse")),
    ("193-194,217,228,386", "No message: not tried again", _NO_MESSAGE, 1, ("PARSE", "parse")),
    ("195,228,234,510", "Plain text without a search is not trusted", Answer("text_alone"), 1, ("PARSE", "parse")),
]
DOCUMENTS: Final = [
    ("567,643", "docs/mcp-servers.md documents the server", "mcp-servers.md", "polymarket"),
    ("568,643", "docs/integrations.md documents the integration", "integrations.md", "web_search"),
    ("569,643", "docs/architecture.md names the components", "architecture.md", "Web search"),
    ("627", "The adapter is apart from the rest", "architecture.md", "Another provider would replace that folder"),
]

_LAYOUT: Final = "The code follows this repository's layout, and is Python"
DEVIATIONS: Final = [
    Deviation(
        "9,74,107-110,441-481,555-558",
        "A standalone server web-search",
        "One MCP server has all tools; search_web is the group web",
    ),
    Deviation(
        "86-110,241-438,548-558",
        "Folders core, adapters, app and mcp in TypeScript",
        f"{_LAYOUT}: mcp_server/features/web, its folder provider is the adapter",
    ),
    Deviation(
        "95,187,357",
        "temperature: 0",
        "The gpt-5 family refuses it, so it is sent only to models without reasoning; these get a low effort",
    ),
    Deviation(
        "102,198", "A fixed window of 10 minutes", "The window slides, so that no 40 questions fit around its edge"
    ),
    Deviation(
        "459-462",
        "The token is an argument of the call",
        "It comes in the Authorization header, as MCP's specification says: arguments end up in prompts and histories",
    ),
    Deviation(
        "149-150",
        "Indices are those of the annotation",
        "They are shifted where characters were removed; with includeAnswers: false they are into the passages",
    ),
    Deviation(
        "175-176,515-516",
        "Results as JSON in the text",
        "The API gives sources as annotations (lines 60 to 68); JSON in the text would be a less reliable list",
    ),
    Deviation(
        "186,356",
        "max_output_tokens: 600",
        "A reasoning model uses that up before it answers, so it is 4,000 and a setting",
    ),
    Deviation(
        "303,312",
        "A word inside another is found too",
        "Whole words and their plurals, else a better reef would be a bet",
    ),
    Deviation(
        "307,316",
        "rejectedKeywords is the whole list",
        "It has the words that were found, so that the caller knows what to leave out",
    ),
    Deviation(
        "302-327",
        "Words are looked for before the length is checked",
        "The length comes first; nothing long is searched for words",
    ),
    Deviation(
        "403",
        "Every annotation is a citation with a rank",
        "A page that is cited twice is one citation, at its first place",
    ),
    Deviation("422", "An address that cannot be read is kept as it is", "Only http and https addresses are cited"),
    Deviation(
        "428-436",
        "The provider's error in details",
        "What the provider says may repeat the question; details have its status and its id of the request",
    ),
    Deviation("436", "Search failed", "Provider error, as for all failures with the code PROVIDER"),
    Deviation("564", "A manual test script", "POST /api/v1/web/search and any MCP client do the same"),
    Deviation(
        "570", "AGENTS.md requires reading the plan", "docs/contributing.md and the feature's README say what to read"
    ),
    Deviation(
        "573,622",
        "A test with the real API",
        "No test may reach the network; the loopback server refuses what the endpoint refuses",
    ),
    Deviation("574-575", "Deploy to Firebase", "It runs as a process or a container, see deploy/README.md"),
    Deviation(
        "592,596,602,658",
        "Firestore for counters, cache and log",
        "Redis has counters and the encrypted cache; the engine has the history",
    ),
    Deviation(
        "602", "All searches are logged", "Only of teams that ask for a history; questions are private otherwise"
    ),
    Deviation(
        "642",
        "Unit test coverage above 80 %",
        "Coverage is not a gate; tests are named by behaviour and use the real thing",
    ),
    Deviation("645", "TypeScript strict mode", "mypy --strict"),
    Deviation("665", "Searching images", "Results are text only (line 76)"),
    Deviation("667", "Follow-up searches with context", "An agent has the context, and puts it into its next question"),
    Deviation("668-669", "A dashboard and A/B tests", "Metrics and alert rules for the operator's own dashboard"),
]
