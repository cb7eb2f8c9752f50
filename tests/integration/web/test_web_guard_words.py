"""The questions that the guard's words are measured with, and what the documentation says about them."""

from tests.bench.guard_words import BEFORE, DEFAULT, NAMES, ORDINARY, PHRASES, SPECIAL, guard, questions
from tests.bench.scale import QUICK
from tests.service import ROOT
from tests.upstreams.openai import OpenAiServer
from tests.upstreams.openai_caller import asking, settings

DOCUMENT = ROOT / "docs" / "benchmarks.md"


def test_there_are_220_ordinary_questions_and_120_others() -> None:
    asked = {name: questions(name) for name in (ORDINARY, *SPECIAL)}
    assert len(asked[ORDINARY]) == 220
    assert sum(len(asked[name]) for name in SPECIAL) == 120
    everything = [question for name in asked for question in asked[name]]
    assert len(set(everything)) == 340
    assert all(3 <= len(question) <= 400 and question == question.strip() for question in everything)


def test_settings_trade_right_refusals_for_wrong_ones() -> None:
    wrong = [sum(lists.refuses(question) for question in questions(ORDINARY)) for lists in (DEFAULT, PHRASES, NAMES)]
    right = [
        sum(lists.refuses(question) for name in SPECIAL for question in questions(name))
        for lists in (DEFAULT, PHRASES, NAMES)
    ]
    assert wrong[0] > wrong[1] > wrong[2]
    assert right[0] > right[1] > right[2]


def test_plurals_refuse_more_rightly_and_more_wrongly() -> None:
    for kind in (ORDINARY, *SPECIAL):
        refused = [{each for each in questions(kind) if lists.refuses(each)} for lists in (BEFORE, DEFAULT)]
        assert refused[0] < refused[1]


def test_the_documentation_has_the_numbers_of_these_lists() -> None:
    text = DOCUMENT.read_text(encoding="utf-8")
    for table in guard({}, QUICK):
        assert table.markdown() in text, "run python -m tests.bench guard --write docs/benchmarks.md"
    assert f"TRAWL_WEB_GUARD_MARKET={','.join(PHRASES.market)}\n" in text
    assert f"TRAWL_WEB_GUARD_FEEDS={','.join(PHRASES.feeds)}\n" in text


async def test_the_service_refuses_what_was_counted(openai: OpenAiServer) -> None:
    given = settings(openai.url, guard_market=",".join(PHRASES.market), guard_feeds=",".join(PHRASES.feeds))
    async with asking(given) as ask:
        for name in SPECIAL:
            for question in questions(name):
                if PHRASES.refuses(question):
                    assert (await ask(question))["code"] == "VALIDATION", question
    assert openai.requests == []
