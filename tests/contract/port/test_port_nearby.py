from indexer.engines.counts import WordCount
from indexer.engines.port import Engine, Target
from tests.contract.port.notes import document, put


async def test_only_words_whose_stem_occurs_nowhere_have_words_near_them(engine: Engine, target: Target) -> None:
    put(engine, target, document("a", "harbours boat"), document("b", "a boat"))
    found = await engine.reader.nearby_words(target, ["harbour", "boats", "baots", "zebra", "baot", "habrours"])
    assert found == {
        "baots": [],
        "zebra": [],
        "baot": [WordCount("boat", 2)],
        "habrours": [WordCount("harbours", 1)],
    }


async def test_nearby_words_are_within_the_edits_of_their_length(engine: Engine, target: Target) -> None:
    put(engine, target, document("a", "sea boat lighthouse harbour2 naïve"), document("b", "l\u0456ghthouse"))
    for typed, words in {
        "se": set(),
        "see": set(),
        "bost": {"boat"},
        "bxxt": set(),
        "lihgthuose": {"lighthouse"},
        "lghthouse": {"lighthouse", "l\u0456ghthouse"},
        "harbour3": {"harbour2"},
        "naive": {"naïve"},
    }.items():
        nearby = (await engine.reader.nearby_words(target, [typed]))[typed]
        assert (typed, {near.word for near in nearby}) == (typed, words)


async def test_an_index_without_documents_has_no_words(engine: Engine, target: Target) -> None:
    assert await engine.reader.nearby_words(target, ["boat"]) == {"boat": []}
    assert await engine.reader.nearby_words(target, []) == {}
