from indexer.engines.cost import EXPLAINED_HITS
from tests.contract.caller import Caller

BOOKS = {
    "python": "Fast Python for machine learning",
    "java": "Fast Java for machine learning",
    "learning": "Learning about a machine in Python",
    "boats": "Boats and boating on the lake",
    "limits": "Rate limiting, or: limiting the rate",
}


async def test_a_word_matches_by_its_stem(caller: Caller) -> None:
    await caller.fill(BOOKS)
    assert await caller.matching("boat") == {"boats"}
    assert await caller.matching("learn") == {"python", "java", "learning"}
    assert await caller.matching("PYTHON") == {"python", "learning"}


async def test_words_without_a_sign_match_where_one_of_them_does(caller: Caller) -> None:
    await caller.fill(BOOKS)
    assert await caller.matching("java boat") == {"java", "boats"}
    assert (await caller.found("fast python"))[0] == "python"


async def test_a_plus_must_match_and_then_other_words_only_rank(caller: Caller) -> None:
    await caller.fill(BOOKS)
    assert await caller.matching("+python java") == {"python", "learning"}
    assert await caller.found("+learning fast java") == ["java", "python", "learning"]
    assert await caller.matching("+python +java") == set()


async def test_a_minus_excludes(caller: Caller) -> None:
    await caller.fill(BOOKS)
    assert await caller.matching("machine -java") == {"python", "learning"}
    assert await caller.matching("-machine") == {"boats", "limits"}
    assert await caller.matching("-machine -boat") == {"limits"}
    assert await caller.matching('-"machine learning" python') == {"learning"}
    assert await caller.matching("+python -learn") == set()


async def test_a_phrase_must_match_as_written_and_in_order(caller: Caller) -> None:
    await caller.fill(BOOKS)
    assert await caller.matching('"machine learning"') == {"python", "java"}
    assert await caller.matching('"Machine Learning" boat') == {"python", "java"}
    assert await caller.matching('+"machine learning" -java') == {"python"}
    assert await caller.matching('"machine learn"') == set()
    assert await caller.matching('"learning machine"') == set()
    assert await caller.matching('"boat"') == set()
    assert await caller.matching('"boats"') == {"boats"}


async def test_a_word_of_several_tokens_is_a_phrase_of_them(caller: Caller) -> None:
    await caller.fill({"one": "about rate-limiting here", "two": "rate of the limiting", "three": "rate limiting"})
    assert await caller.matching("rate-limiting") == {"one", "three"}
    assert await caller.matching("-rate-limiting") == {"two"}
    assert await caller.matching("+rate/limiting") == {"one", "three"}


async def test_a_prefix_matches_from_two_letters_on(caller: Caller) -> None:
    await caller.fill({"one": "harbour", "two": "Harvest", "three": "hat"})
    assert await caller.matching("har*") == {"one", "two"}
    assert await caller.matching("HA*") == {"one", "two", "three"}
    assert await caller.matching("ha* -harb*") == {"two", "three"}
    assert await caller.matching("+harv* hat") == {"two"}
    assert await caller.matching("h*") == set()


async def test_an_asterisk_alone_matches_everything(caller: Caller) -> None:
    await caller.fill(BOOKS)
    assert await caller.matching("*") == set(BOOKS)
    result = await caller.search("*", k=2)
    assert result["total_matches"] == len(BOOKS)
    assert [hit["score"] for hit in result["results"]] == [1.0, 1.0]


async def test_a_query_without_a_token_finds_nothing_and_is_no_failure(caller: Caller) -> None:
    await caller.add("one", "a boat")
    for query in ("", "  \n\t ", "a", "...", "+", "-", '""', "+ -", "!?", '"a"', "🙂"):
        result = await caller.search(query)
        assert result["success"] is True
        assert result["results"] == []
        assert result["total_matches"] == 0
        assert result["next_cursor"] is None
        assert result["did_you_mean"] is None


async def test_an_unbalanced_quote_is_text(caller: Caller) -> None:
    await caller.fill(BOOKS)
    assert await caller.matching('"machine learning') == {"python", "java", "learning"}
    assert await caller.matching('python"') == {"python", "learning"}


async def test_the_query_is_told_as_understood(caller: Caller) -> None:
    await caller.fill(BOOKS)
    result = await caller.search('Fast +Python -Java "Machine Learning"')
    assert result["query_parsed"] == {
        "terms": ["fast"],
        "must": ["python"],
        "must_not": ["java"],
        "phrases": ["machine learning"],
        "corrected": {},
    }


async def test_an_index_that_keeps_case_tells_and_matches_with_case(caller: Caller) -> None:
    await caller.create("cased", tokenizer={"lowercase": False, "language": "none"})
    await caller.fill({"upper": "Boat", "lower": "boat"}, "cased")
    assert await caller.matching("Boat", index_name="cased") == {"upper"}
    assert (await caller.search("Boat", index_name="cased"))["query_parsed"]["terms"] == ["Boat"]


async def test_an_index_without_a_language_matches_words_as_written(caller: Caller) -> None:
    await caller.create("plain", tokenizer={"language": "none"})
    await caller.fill({"one": "boats", "two": "boat"}, "plain")
    assert await caller.matching("boat", index_name="plain") == {"two"}


async def test_words_shorter_than_the_index_keeps_are_not_found(caller: Caller) -> None:
    await caller.create("long", tokenizer={"min_length": 4})
    added = await caller.add("one", "the old harbour", index_name="long")
    assert added["token_count"] == 1
    assert await caller.matching("old", index_name="long") == set()
    assert await caller.matching("old harbour", index_name="long") == {"one"}


async def test_scripts_without_spaces_are_found_by_their_characters(caller: Caller) -> None:
    await caller.fill({"ja": "日本語の文書です", "th": "ภาษาไทย", "ru": "Лодки на озере", "he": "שלום עולם"})
    assert await caller.matching("日本") == {"ja"}
    assert await caller.matching("本日") == set()
    assert await caller.matching("文") == {"ja"}
    assert await caller.matching("ไทย") == {"th"}
    assert await caller.matching("лодки") == {"ru"}
    assert await caller.matching("עולם") == {"he"}


async def test_composed_and_decomposed_letters_are_the_same(caller: Caller) -> None:
    await caller.fill({"composed": "na\u00efve", "decomposed": "nai\u0308ve"})
    assert await caller.matching("na\u00efve") == {"composed", "decomposed"}
    assert await caller.matching("nai\u0308ve") == {"composed", "decomposed"}


async def test_more_and_rarer_matching_words_rank_higher(caller: Caller) -> None:
    await caller.fill(
        {
            "rare": "lighthouse lamp room",
            "common": "boat lamp",
            "both": "boat lighthouse lamp",
            **{f"filler{n}": "boat and more" for n in range(8)},
        }
    )
    ids = await caller.found("boat lighthouse")
    assert ids[:2] == ["both", "rare"]
    scores = [hit["score"] for hit in (await caller.search("boat lighthouse", k=20))["results"]]
    assert scores == sorted(scores, reverse=True)
    assert all(score > 0 for score in scores)


async def test_hidden_characters_neither_hide_nor_split_words(caller: Caller) -> None:
    await caller.add("one", "har\u200bbour \u202etsaoc")
    assert await caller.matching("harbour") == {"one"}
    assert await caller.matching("harb\u200dour") == {"one"}
    assert (await caller.get("one"))["content"] == "harbour tsaoc"
    assert (await caller.search("harbour"))["results"][0]["highlights"] == ["<mark>harbour</mark> tsaoc"]


async def test_k_bounds_the_page_and_not_the_total(caller: Caller) -> None:
    await caller.fill({f"d{n}": "boat" for n in range(12)})
    result = await caller.search("boat", k=5)
    assert len(result["results"]) == 5
    assert result["total_matches"] == 12
    assert result["next_cursor"] is not None
    assert len((await caller.search("boat"))["results"]) == 10
    assert isinstance(result["took_ms"], int)


async def test_an_explanation_comes_only_when_asked_for(caller: Caller) -> None:
    await caller.add("one", "a boat on the lake")
    [plain] = (await caller.search("boat"))["results"]
    [explained] = (await caller.search("boat", explain=True))["results"]
    assert "explanation" not in plain
    assert len(explained["explanation"]) > 20
    assert {**explained, "explanation": None} == {**plain, "explanation": None}


async def test_the_first_hits_of_a_long_page_are_explained(caller: Caller) -> None:
    await caller.fill({f"d{number}": (f"boat {number}", {"n": number}) for number in range(60)})
    for arguments in ({}, {"sort": ["-n"]}):
        hits = (await caller.search("boat", k=1_000, explain=True, **arguments))["results"]
        assert [bool(hit.get("explanation")) for hit in hits] == [True] * EXPLAINED_HITS + [False] * 10
        first = (await caller.search("boat", k=1, explain=True, **arguments))["results"][0]
        assert (first.get("explanation") or "")[:4] == (hits[0].get("explanation") or "")[:4]
