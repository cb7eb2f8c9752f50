"""What is looked at before anybody is asked about the web."""

from typing import Any

import pytest

from indexer.errors import Invalid
from mcp_server.features.web.arguments import SearchWeb
from mcp_server.features.web.checks import found_words, validate_arguments
from mcp_server.features.web.regions import REGIONS
from mcp_server.features.web.settings import FEEDS, MARKET, WebSettings

MARKETS = "Use polymarket MCP server for market-related queries"
NEWS = "Use google-news-rss MCP server for RSS feed queries"
LENGTH = "Query must be 3-400 characters"


def settings(**given: Any) -> WebSettings:
    return WebSettings(_env_file=None, **given)


def ask(query: str, given: WebSettings | None = None, **arguments: Any) -> SearchWeb:
    (search,) = validate_arguments(SearchWeb(query=query, **arguments), given or settings())
    return search


def refused(query: str, given: WebSettings | None = None) -> Invalid:
    with pytest.raises(Invalid) as error:
        ask(query, given)
    assert query.strip() == "" or query.strip() not in error.value.message
    return error.value


@pytest.mark.parametrize("query", ["", "  ", "ab", " ab  ", "a\u200bb", "x" * 401, "\n\nab\t"])
def test_too_short_and_too_long_questions_are_refused(query: str) -> None:
    assert refused(query).message == LENGTH


@pytest.mark.parametrize("query", ["abc", " abc ", "x" * 400, f" {'x' * 400} ", "\U0001f40b" * 3, "\U0001f40b" * 400])
def test_three_to_four_hundred_code_points_are_asked_trimmed(query: str) -> None:
    assert ask(query).query == query.strip()


def test_length_is_looked_at_before_words() -> None:
    assert refused("bet " * 150).message == LENGTH


@pytest.mark.parametrize("word", MARKET)
def test_each_word_of_the_market_list_is_refused(word: str) -> None:
    error = refused(f"what about the {word.upper()}, please?")
    assert (error.message, error.details) == (MARKETS, {"rejectedKeywords": [word]})


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("an rss reader", ["rss"]),
        ("which Feed is best", ["feed"]),
        ("open Google  News now", ["google news"]),
        ("google\tnews", ["google news"]),
        ("my news feed", ["feed", "news feed"]),
        ("how to subscribe", ["subscribe"]),
    ],
)
def test_questions_about_feeds_are_refused_with_the_words_found(query: str, found: list[str]) -> None:
    error = refused(query)
    assert (error.message, error.details) == (NEWS, {"rejectedKeywords": found})


def test_where_both_lists_match_markets_come_first() -> None:
    assert refused("rss of polymarket odds").details == {"rejectedKeywords": ["polymarket", "odds"]}


@pytest.mark.parametrize(
    "query",
    [
        "a better reef",
        "supermarket opening hours",
        "marketing for divers",
        "eventually consistent stores",
        "alphabet and beta",
        "feedback on the preposition of place",
        "oddsmaker unpredictable",
        "google new sites",
        "newsfeeding",
        "subscribers",
    ],
)
def test_parts_of_words_are_no_words(query: str) -> None:
    assert ask(query).query == query


@pytest.mark.parametrize(
    ("word", "plural"),
    [
        *((word, f"{word}s") for word in MARKET if word not in {"odds", "liquidity"}),
        ("liquidity", "liquidities"),
        ("odds", "odds"),
        ("rss", "rsses"),
        ("feed", "Feeds"),
        ("news feed", "news  feeds"),
        ("box", "boxes"),
        ("match", "matches"),
        ("wish", "WISHES"),
        ("buzz", "buzzes"),
        ("play", "plays"),
        ("order book", "order books"),
    ],
)
def test_a_word_is_found_in_its_plural(word: str, plural: str) -> None:
    assert found_words(f"about {plural}, please", [word]) == [word]


@pytest.mark.parametrize(
    ("word", "other"),
    [
        ("bet", "better"),
        ("bet", "betes"),
        ("play", "plaies"),
        ("liquidity", "liquiditys"),
        ("rss", "rsss"),
        ("news feed", "newss feed"),
        ("markets", "market"),
        ("feed", "feedsy"),
    ],
)
def test_other_endings_are_other_words(word: str, other: str) -> None:
    assert found_words(f"about {other}, please", [word]) == []


@pytest.mark.parametrize(
    "query",
    ["the mar\u200bket today", "\N{FULLWIDTH LATIN SMALL LETTER B}et", "a b\u2060et", "on (market)!", "market's end"],
)
def test_words_cannot_be_hidden(query: str) -> None:
    with pytest.raises(Invalid, match="polymarket"):
        ask(query)


def test_settings_change_the_lists_and_none_empties_one() -> None:
    given = settings(guard_market="Élan Vital, tide", guard_feeds="none")
    assert ask("polymarket rss feed", given).query == "polymarket rss feed"
    assert refused("E\u0301LAN   vital?", given).details == {"rejectedKeywords": ["Élan Vital"]}
    assert refused("which tide", given).message == MARKETS


def test_words_are_taken_literally() -> None:
    assert found_words("c plus", ["c.*"]) == []
    assert found_words("say c.* now", ["c.*"]) == ["c.*"]


def test_control_characters_become_blanks_and_hidden_ones_go() -> None:
    assert ask("coral\x00reef\u202e\nfish").query == "coral reef fish"


def test_half_a_character_is_refused() -> None:
    with pytest.raises(Invalid, match="half a character"):
        ask("coral \ud800 reef")


@pytest.mark.parametrize(("given", "sent"), [("US", "US"), ("ae", "AE"), (" gb ", "GB"), (None, None)])
def test_a_region_is_sent_in_capitals(given: str | None, sent: str | None) -> None:
    assert ask("coral reef", region=given).region == sent


@pytest.mark.parametrize("given", ["", "U", "USA", "UK", "EU", "XX", "ZZ", "840", "United States", "\uff35\uff33"])
def test_a_region_that_is_no_country_is_refused(given: str) -> None:
    with pytest.raises(Invalid, match="Region must be"):
        ask("coral reef", region=given)


def test_there_are_as_many_regions_as_the_standard_assigns() -> None:
    assert len(REGIONS) == 249
    assert all(len(region) == 2 and region.isascii() and region.isupper() for region in REGIONS)


def test_feeds_and_markets_are_the_lists_that_were_asked_for() -> None:
    assert settings().guard_market == MARKET
    assert settings().guard_feeds == FEEDS
