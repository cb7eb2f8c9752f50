import pytest

from indexer.errors import PlatformError
from tests.contract.caller import Caller, failure_of


async def test_a_document_is_searchable_when_the_call_returns(caller: Caller) -> None:
    added = await caller.add("doc-001", "Python rate limiting with token buckets", {"author": "Smith"})
    assert added == {"success": True, "status": "indexed", "doc_id": "doc-001", "token_count": 6}
    [hit] = (await caller.search("bucket"))["results"]
    assert hit["doc_id"] == "doc-001"
    assert hit["metadata"] == {"author": "Smith"}


async def test_the_same_id_is_re_indexed(caller: Caller) -> None:
    await caller.add("doc", "boat", {"a": 1})
    again = await caller.add("doc", "harbour wall", {"b": 2})
    assert again == {"success": True, "status": "re-indexed", "doc_id": "doc", "token_count": 2}
    assert await caller.matching("boat") == set()
    [hit] = (await caller.search("harbour"))["results"]
    assert hit["metadata"] == {"b": 2}
    assert await caller.matching("*", filters={"b": {"exists": True}}) == {"doc"}


@pytest.mark.parametrize("content", ["", " \n\t", "\u200b\ufeff"])
async def test_blank_content_is_refused(caller: Caller, content: str) -> None:
    failure = await failure_of(caller.add("doc", content))
    assert failure["error"] == "Content must be a non-empty string"
    assert failure["error_category"] == "validation"


async def test_content_without_a_token_is_stored(caller: Caller) -> None:
    assert (await caller.add("doc", "!!!"))["token_count"] == 0
    assert await caller.matching("*") == {"doc"}


async def test_an_id_has_1_to_512_bytes_without_control_characters(caller: Caller) -> None:
    for id_ in ("x" * 512, "é" * 256, "a/b?c#d", "../x", "%2F", " ", "😀", "*", 'q"\\'):
        assert (await caller.add(id_, "boat"))["doc_id"] == id_
        assert (await caller.get(id_))["doc_id"] == id_
        assert (await caller.delete(id_))["status"] == "deleted"
    for id_ in ("", "x" * 513, "é" * 257, "a\nb", "a\x00", "\x7f", "\ud800"):
        for call in (caller.add(id_, "boat"), caller.get(id_), caller.delete(id_)):
            assert (await failure_of(call))["error_category"] == "validation"


async def test_content_may_have_ten_megabytes(caller: Caller) -> None:
    big = "harbour " * (10 * 1024 * 1024 // 8)
    assert (await caller.add("big", big))["token_count"] == len(big) // 8
    assert await caller.matching("harbour") == {"big"}
    failure = await failure_of(caller.add("bigger", big + "x"))
    assert failure["error_category"] == "validation"
    assert await caller.matching("*") == {"big"}


async def test_a_document_comes_back_as_it_was_written(caller: Caller) -> None:
    metadata = {
        "text": "naïve \"quotes\" 'and' <tags>",
        "whole": 2**70,
        "number": 1.5,
        "yes": True,
        "none": None,
        "list": [1, "two", None, {"three": [3]}],
        "deep": {"er": {"est": "x"}},
        "": "empty name",
        "a.b": {"c": 1},
    }
    await caller.add("doc", "Line one\r\nline two\t<b>&amp;</b>", metadata)
    got = await caller.get("doc")
    assert got["content"] == "Line one\r\nline two\t<b>&amp;</b>"
    assert got["metadata"] == metadata
    assert got["total_chars"] == len(got["content"])
    assert got["next_offset"] is None
    assert got["revision"] > 0
    [hit] = (await caller.search("line"))["results"]
    assert hit["metadata"] == metadata


async def test_a_later_write_has_a_higher_revision(caller: Caller) -> None:
    await caller.add("doc", "one")
    first = (await caller.get("doc"))["revision"]
    await caller.add("doc", "two")
    assert (await caller.get("doc"))["revision"] > first


async def test_content_can_be_read_in_parts(caller: Caller) -> None:
    content = "".join(f"Zeile {n} — “Ünïcödé” 日本\n" for n in range(400))
    await caller.add("doc", content, {"a": 1})
    parts: list[str] = []
    offset: int | None = 0
    while offset is not None:
        got = await caller.get("doc", offset=offset, max_chars=1_500)
        assert got["total_chars"] == len(content)
        parts.append(got["content"])
        offset = got["next_offset"]
    assert "".join(parts) == content
    assert len(parts) > 5
    beyond = await caller.get("doc", offset=10**6)
    assert beyond["content"] == ""
    assert beyond["next_offset"] is None


async def test_big_metadata_is_cut_to_the_budget_and_told(caller: Caller) -> None:
    await caller.add("doc", "boat " * 1_000, {f"k{n}": "x" * 500 for n in range(100)})
    got = await caller.get("doc", max_chars=2_000)
    assert got["truncated"] is True
    assert got["content"].startswith("boat boat")
    assert len(str(got)) < 2_200


async def test_an_unknown_document_is_not_found(caller: Caller) -> None:
    assert (await failure_of(caller.get("doc")))["error_category"] == "not_found"
    await caller.add("other", "boat")
    failure = await failure_of(caller.get("doc"))
    assert failure["error"] == "Document not found: doc"
    assert "search_index" in failure["alternatives"]


async def test_a_deleted_document_is_found_nowhere(caller: Caller) -> None:
    await caller.fill({"a": ("boat", {"x": 1}), "b": ("boat", {"x": 2})})
    assert await caller.delete("a") == {"success": True, "status": "deleted", "doc_id": "a"}
    assert await caller.matching("boat") == {"b"}
    assert (await failure_of(caller.get("a")))["error_category"] == "not_found"
    assert (await caller.search("*", facets=["x"]))["facets"]["x"] == [{"value": 2, "count": 1}]
    assert await caller.delete("a") == {"success": True, "status": "absent", "doc_id": "a"}
    assert (await caller.add("a", "boat"))["status"] == "indexed"
    assert await caller.matching("boat") == {"a", "b"}


async def test_deleting_from_an_index_that_was_never_written_is_absent(caller: Caller) -> None:
    assert (await caller.delete("a"))["status"] == "absent"


async def test_one_bad_document_never_spoils_the_others(caller: Caller) -> None:
    await caller.add("old", "boat")
    deep: dict[str, object] = {}
    for _ in range(500):
        deep = {"d": deep}
    result = await caller.add_all(
        [
            {"doc_id": "good", "content": "boat", "metadata": {"x": 1}},
            {"doc_id": "blank", "content": " "},
            {"doc_id": "missing"},
            {"doc_id": "typed", "content": 5},
            {"doc_id": 7, "content": "boat"},
            {"doc_id": "meta", "content": "boat", "metadata": [1]},
            {"doc_id": "extra", "content": "boat", "more": 1},
            {"doc_id": "\n", "content": "boat"},
            {"content": "boat"},
            {"doc_id": "deep", "content": "boat", "metadata": deep},
            {"doc_id": "nan", "content": "boat", "metadata": {"x": float("nan")}},
            {"doc_id": "half", "content": "boat \ud800"},
            {"doc_id": "half-meta", "content": "boat", "metadata": {"x": "\ud800"}},
            {"doc_id": "long", "content": "x" * (10 * 1024 * 1024 + 1)},
            {"doc_id": "null", "content": "boat", "metadata": None},
            {"doc_id": "old", "content": "boat"},
        ]
    )
    assert [(row["doc_id"], row["status"]) for row in result["results"]] == [
        ("good", "indexed"),
        ("blank", "failed"),
        ("missing", "failed"),
        ("typed", "failed"),
        ("", "failed"),
        ("meta", "failed"),
        ("extra", "failed"),
        ("\ufffd", "failed"),
        ("", "failed"),
        ("deep", "failed"),
        ("nan", "indexed"),
        ("half", "failed"),
        ("half-meta", "failed"),
        ("long", "failed"),
        ("null", "indexed"),
        ("old", "re-indexed"),
    ]
    assert (result["success"], result["indexed"], result["failed"]) == (True, 4, 12)
    errors = {row["doc_id"]: row.get("error") for row in result["results"]}
    assert errors["blank"] == errors["missing"] == errors["typed"] == "Content must be a non-empty string"
    assert all(row.get("error") for row in result["results"] if row["status"] == "failed")
    assert all("token_count" in row for row in result["results"] if row["status"] != "failed")
    assert await caller.matching("boat") == {"good", "nan", "null", "old"}


async def test_the_same_id_twice_in_one_call_is_written_in_order(caller: Caller) -> None:
    result = await caller.add_all([{"doc_id": "a", "content": "boat"}, {"doc_id": "a", "content": "harbour"}])
    assert [row["status"] for row in result["results"]] == ["indexed", "re-indexed"]
    assert await caller.matching("harbour") == {"a"}
    assert await caller.matching("boat") == set()


async def test_an_empty_list_is_fine(caller: Caller) -> None:
    assert await caller.add_all([]) == {"success": True, "indexed": 0, "failed": 0, "results": []}


async def test_only_bad_documents_are_no_failure_of_the_call(caller: Caller) -> None:
    result = await caller.add_all([{"doc_id": "a", "content": ""}])
    assert (result["indexed"], result["failed"]) == (0, 1)


async def test_documents_need_an_index_that_is_there(caller: Caller) -> None:
    for call in (
        caller.add("a", "boat", index_name="nowhere"),
        caller.add_all([], index_name="nowhere"),
        caller.get("a", index_name="nowhere"),
        caller.delete("a", index_name="nowhere"),
        caller.search("boat", index_name="nowhere"),
        caller.describe("nowhere"),
        caller.drop("nowhere"),
    ):
        failure = await failure_of(call)
        assert failure["error"] == "Index not found: nowhere"
        assert failure["error_category"] == "not_found"


async def test_metadata_with_very_many_fields_is_stored_and_found(caller: Caller) -> None:
    await caller.fill({f"d{n}": ("boat", {f"key{n}-{m}": m for m in range(60)}) for n in range(20)})
    assert await caller.matching("boat", filters={"key7-59": 59}) == {"d7"}
    assert len((await caller.describe())["fields"]) <= 1_000


async def test_a_failure_never_repeats_what_the_document_said(caller: Caller) -> None:
    for content, metadata in (("secret \ud800", {}), ("fine", {"secret": "\ud800"}), ("x" * 10_485_761 + "secret", {})):
        with pytest.raises(PlatformError) as caught:
            await caller.add("doc", content, metadata)
        assert "secret" not in str(caught.value.failure())
