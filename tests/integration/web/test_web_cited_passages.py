"""Without an answer, the text holds what the sources support; addresses in any text are without tracking."""

from typing import Any

import pytest

from tests.upstreams.openai import Answer, OpenAiServer
from tests.upstreams.openai_caller import Asker, Caller
from tests.upstreams.openai_fixtures import citation, message, response, search
from tests.upstreams.openai_texts import marker

QUERY = "are the reefs of Belize well"
RECOVERY = "Reefs off Belize have begun to recover."
COUNT = "Divers counted 31 % more live coral than in 2019."
SHARED = marker("a.example") + marker("b.example")
REPORT = f"""## Reefs

- **Belize.** Corals grew by 3.5 % in the U.S. Virgin Islands, e.g. near St. John. {SHARED}
- Fish came back
  {marker("c.example", "/fish?id=1")}

Look at <https://d.example/?ref=x> and www.d.example/?id=2&fbclid=3, or ask. {marker("d.example")}"""


def assert_sound(result: dict[str, Any]) -> None:
    for citation_ in result["citations"]:
        assert result["text"][citation_["startIndex"] : citation_["endIndex"]] == citation_["textSnippet"]


def report() -> Answer:
    hosts = {"a": "/", "b": "/", "c": "/fish?id=1", "d": "/"}
    cited = [
        citation(REPORT, marker(f"{name}.example", rest), f"https://{name}.example{rest}")
        for name, rest in hosts.items()
    ]
    return Answer(body=response(search(), message(REPORT, *cited)))


async def test_without_answers_the_text_holds_only_the_passages_that_are_cited(call: Caller) -> None:
    result = await call(QUERY, includeAnswers=False)
    assert_sound(result)
    assert result["text"] == f"{RECOVERY}\n{COUNT}"
    assert [each["textSnippet"] for each in result["citations"]] == [RECOVERY, COUNT]
    assert call.texts[0].startswith(f"{RECOVERY}\n{COUNT}\n\nSources")


async def test_a_passage_is_a_sentence_or_a_line_and_sources_may_share_it(ask: Asker, openai: OpenAiServer) -> None:
    openai.then(report())
    result = await ask(QUERY, includeAnswers=False)
    assert_sound(result)
    assert result["text"].split("\n") == [
        "Corals grew by 3.5 % in the U.S. Virgin Islands, e.g. near St. John.",
        "Fish came back",
        "Look at <https://d.example/> and www.d.example/?id=2, or ask.",
    ]
    first, second, third, fourth = result["citations"]
    assert first["textSnippet"] == second["textSnippet"]
    assert (first["startIndex"], first["endIndex"]) == (second["startIndex"], second["endIndex"])
    assert (third["textSnippet"], third["url"]) == ("Fish came back", "https://c.example/fish?id=1")
    assert fourth["rank"] == 4


async def test_no_address_in_the_text_tracks_anybody(ask: Asker, openai: OpenAiServer) -> None:
    openai.then(report())
    result = await ask(QUERY)
    assert_sound(result)
    for tracking in ("utm_", "ref=", "fbclid"):
        assert tracking not in str(result)
    assert [each["textSnippet"] for each in result["citations"]] == [
        "([a.example](https://a.example/))",
        "([b.example](https://b.example/))",
        "([c.example](https://c.example/fish?id=1))",
        "([d.example](https://d.example/))",
    ]


async def test_without_citations_and_answers_there_is_no_text(ask: Asker, openai: OpenAiServer) -> None:
    openai.then("uncited")
    result = await ask(QUERY, includeAnswers=False)
    assert (result["success"], result["text"], result["citations"]) == (True, "", [])


@pytest.mark.parametrize("bare", [False, True], ids=["inside output", "the array alone"])
async def test_a_citation_behind_the_end_of_the_text_supports_its_end(
    ask: Asker, openai: OpenAiServer, bare: bool
) -> None:
    openai.then("seed")
    result = await ask(QUERY, includeAnswers=bare)
    (cited,) = result["citations"]
    assert cited["textSnippet"] == ("" if bare else "On March 6, 2025, several news...")
