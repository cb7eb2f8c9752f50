"""Where may be searched and what may be cited, by settings."""

import pytest

from tests.upstreams.openai import Answer, OpenAiServer
from tests.upstreams.openai_caller import Asker, asking, settings
from tests.upstreams.openai_fixtures import at, message, response, search

ADDRESSES = (
    "https://example.com/a",
    "https://deep.example.com:8443/b",
    "https://notexample.com/c",
    "https://example.com.evil.test/d",
    "https://somebody@EXAMPLE.com/e",
    "https://other.test/?at=example.com",
)


async def test_allowed_domains_are_told_to_the_provider(openai: OpenAiServer) -> None:
    async with asking(settings(openai.url, allowed_domains="osdu.org, Example.COM")) as ask:
        assert (await ask("are reefs well"))["success"]
    assert openai.bodies[0]["tools"][0]["filters"] == {"allowed_domains": ["osdu.org", "example.com"]}


async def test_without_them_no_filter_is_sent(ask: Asker, openai: OpenAiServer) -> None:
    await ask("are reefs well")
    assert "filters" not in openai.bodies[0]["tools"][0]


@pytest.mark.parametrize("answers", [True, False])
async def test_blocked_domains_are_not_cited_nor_those_below_them(openai: OpenAiServer, answers: bool) -> None:
    cited = (at(number * 10, number * 10 + 9, url) for number, url in enumerate(ADDRESSES))
    openai.then(Answer(body=response(search(), message("corals are growing well " * 4, *cited))))
    async with asking(settings(openai.url, blocked_domains="example.com")) as ask:
        result = await ask("are reefs well", maxResults=8, includeAnswers=answers)
    assert [citation["url"] for citation in result["citations"]] == [ADDRESSES[2], ADDRESSES[3], ADDRESSES[5]]
    assert [citation["rank"] for citation in result["citations"]] == [1, 2, 3]


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("https://a.test/?utm_source=openai", "https://a.test/"),
        ("https://a.test/?id=7&utm_medium=x&UTM_Campaign=y", "https://a.test/?id=7"),
        ("https://a.test/?ref=x&fbclid=1&gclid=2&msclkid=3&mc_cid=4&mc_eid=5&b=%20c", "https://a.test/?b=%20c"),
        ("https://a.test/?reference=1&href=2&utmost=3", "https://a.test/?reference=1&href=2&utmost=3"),
        ("https://a.test/p?ref=x#part", "https://a.test/p#part"),
        ("https://a.test/ref?q=utm_source", "https://a.test/ref?q=utm_source"),
    ],
)
async def test_tracking_parameters_are_stripped_and_nothing_else(
    ask: Asker, openai: OpenAiServer, url: str, shown: str
) -> None:
    openai.then(Answer(body=response(search(), message("corals", at(0, 6, url)))))
    result = await ask("are reefs well")
    assert [citation["url"] for citation in result["citations"]] == [shown]
