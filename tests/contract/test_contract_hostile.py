import pytest

from indexer.errors import Failure, PlatformError
from indexer.local.results import SearchResult
from tests.contract.caller import Caller

STRANGE = [
    "content:boat",
    "text:boat AND id:*",
    "boat OR 1=1",
    "(boat",
    "boat)",
    "[boat TO zebra]",
    "{boat}",
    "boat~2",
    "boat^5",
    "/bo.*t/",
    "/.*.*.*.*.*.*.*x/",
    "bo?t",
    "b*t",
    "**",
    "*boat",
    "+*",
    "-*",
    "boat AND NOT boat",
    "\\boat\\",
    'boat"',
    '"""""',
    "+-+-boat",
    "--boat",
    "_exists_:boat",
    "boat\u2028boat",
    "${boat}",
    "{{boat}}",
    "<script>boat</script>",
    "' OR ''='",
    "a" * 2_000,
    "boat " * 64,
    "+" * 2_000,
    '"' * 2_000,
    "x-" * 999,
    "日" * 2_000,
    "ﬀ" * 300,
    "İ" * 300,
    "\u0300" * 500,
    "bo\u0300\u0301\u0302at",
    "٣٤٥",
    "\ufdfa" * 100,
    "😀😀",
]


async def answer_to(caller: Caller, query: str, *, fuzzy: bool) -> SearchResult | Failure:
    try:
        return await caller.search(query, fuzzy=fuzzy)
    except PlatformError as error:
        return error.failure()


@pytest.mark.parametrize("fuzzy", [False, True])
async def test_any_text_is_a_query_or_an_expected_failure(caller: Caller, fuzzy: bool) -> None:
    await caller.fill({"a": ("boat", {"x": 1}), "b": "the lake"})
    for query in STRANGE:
        answer = await answer_to(caller, query, fuzzy=fuzzy)
        assert answer["success"] or answer["error_category"] == "validation"
        assert answer["success"] or query not in str(answer)
    assert await caller.matching("boat") == {"a"}


async def test_the_query_language_of_no_engine_shines_through(caller: Caller) -> None:
    await caller.fill({"a": "boat", "b": "content text and or not exists"})
    assert await caller.matching("text:boat") == set()
    assert await caller.matching("boat~2") == {"a"}
    assert await caller.matching("/bo.*t/") == set()
    assert await caller.matching("bo?t") == set()
    assert await caller.matching("boat AND text") == {"a", "b"}
    assert await caller.matching("-*") == set()


async def test_a_query_has_2000_characters_and_64_clauses_at_most(caller: Caller) -> None:
    await caller.add("a", "boat")
    assert await caller.matching("boat " + "x" * 1_995) == {"a"}
    assert (await caller.failure("boat " + "x" * 1_996))["error_category"] == "validation"
    assert await caller.matching(" ".join(f"w{n}" for n in range(63)) + " boat") == {"a"}
    assert (await caller.failure(" ".join(f"w{n}" for n in range(65))))["error_category"] == "validation"


async def test_control_characters_and_halves_of_characters_are_refused(caller: Caller) -> None:
    await caller.add("a", "boat")
    for query in ("boat\x00", "\ud800", "boat\x1f", "\x7fboat"):
        assert (await caller.failure(query))["error_category"] == "validation"


async def test_hostile_metadata_changes_nothing_else(caller: Caller) -> None:
    hostile = {
        "_id": "x",
        "_source": {"enabled": False},
        "$ref": "a",
        "__proto__": {"x": 1},
        "constructor": "y",
        "kv": ["s\x1fauthor\x1fSmith"],
        "a\x1fb": "c\x1fd",
        "\x1f": "\x1f",
    }
    await caller.fill({"a": ("boat", hostile), "b": ("boat", {"author": "Jones"})})
    assert await caller.matching("boat", filters={"author": "Smith"}) == set()
    assert (await caller.get("a"))["metadata"] == hostile
    assert await caller.matching("boat", filters={"a\x1fb": "c\x1fd"}) == {"a"}
    assert await caller.matching("boat", filters={"kv": "s\x1fauthor\x1fSmith"}) == {"a"}


async def test_many_values_and_lists_are_bounded_by_a_failure_and_not_by_the_engine(caller: Caller) -> None:
    await caller.add("a", "boat", {"x": list(range(900))})
    assert await caller.matching("boat", filters={"x": 899}) == {"a"}
    assert await caller.matching("boat", filters={"x": list(range(899, 1_800))}) == {"a"}
    assert (await caller.failure("boat", filters={"x": list(range(5_000))}))["error_category"] == "validation"
