"""Bounds of request bodies and of arguments."""

import asyncio
import json
import time
from typing import Any

import orjson
import pytest

from indexer.errors import Invalid
from indexer.local.arguments import AddDocuments, CreateIndex, SearchIndex
from mcp_server.json_body.bounds import MAX_DEPTH, MAX_VALUES, BodyBounds
from mcp_server.wrong_arguments import WrongArguments, read_arguments

LARGE = " " * 70_000
"""Makes a body so long that it is scanned."""
DOCUMENT = {
    "doc_id": "a",
    "content": 'A "reef" \\ 😀\n' * 100_000,
    "metadata": {"é" * 2_000: ["long " * 1_000, 1, None]},
}


@pytest.mark.parametrize(
    ("body", "told"),
    [
        (b"[" * 101 + b"]" * 101, "nested more than 100 levels"),
        (b'{"a":' * 101 + b"1" + b"}" * 101, "nested more than 100 levels"),
        (LARGE.encode() + b"[" * 101 + b"]" * 101, "nested more than 100 levels"),
        (json.dumps([0] * (MAX_VALUES + 1)).encode(), "more than 100,000 values"),
        (json.dumps(dict.fromkeys(range(MAX_VALUES + 1))).encode(), "more than 100,000 values"),
        (b'"' * 1_000_000, "more than 100,000 values"),
        (b"9" * 4_000_001, "more than 4 MB outside of strings"),
        (b" " * 4_000_001, "more than 4 MB outside of strings"),
        (json.dumps("x" * 32_000_000).encode(), "a string of more than 32 MB"),
        (json.dumps(["x" * 1_000] * 16_000).encode(), "more than 16 MB besides strings of 1,024 bytes"),
        (json.dumps("x" * 100_000).encode("utf-16"), "not valid JSON"),
        (b'"' + b"x" * 2_000_000, "not valid JSON"),
        (b'"' + b"\xff" * 2_000_000 + b'"', "not valid JSON"),
    ],
)
async def test_a_body_beyond_a_bound_is_refused_with_what_to_do(body: bytes, told: str) -> None:
    with pytest.raises(Invalid, match=told) as refused:
        await BodyBounds().check(body)
    assert refused.value.action


@pytest.mark.parametrize(
    "text", ["[" * MAX_DEPTH + "]" * MAX_DEPTH, json.dumps([0] * (MAX_VALUES - 1)), '"[[["', "{", ""]
)
async def test_a_body_within_the_bounds_is_left_to_the_parser(text: str) -> None:
    for body in (text.encode(), (LARGE + text).encode()):
        assert (await BodyBounds().check(body)).json == body


@pytest.mark.parametrize("is_ascii", [True, False])
async def test_long_strings_are_taken_out_and_put_back(is_ascii: bool) -> None:
    given = {"documents": [DOCUMENT, {**DOCUMENT, "doc_id": "b"}], "index_name": None}
    body = await BodyBounds().check(json.dumps(given, ensure_ascii=is_ascii, indent=1).encode())
    assert len(body.json) < 1_000
    assert body.restored(orjson.loads(body.json)) == given


async def test_a_large_body_is_scanned_with_pauses_and_a_short_one_at_once() -> None:
    ticks = 0

    async def tick() -> None:
        nonlocal ticks
        while True:
            ticks += 1
            await asyncio.sleep(0)

    ticking = asyncio.create_task(tick())
    await BodyBounds().check(b'{"query": "reef"}')
    assert ticks == 0
    await BodyBounds().check(json.dumps("x" * 10_000_000).encode())
    assert ticks > 50
    ticking.cancel()


async def test_a_body_of_64_kb_costs_next_to_nothing() -> None:
    body = json.dumps({"query": "reef " * 13_000}).encode()
    bounds = BodyBounds()
    started = time.process_time()
    for _ in range(100):
        await bounds.check(body)
    assert time.process_time() - started < 0.1


@pytest.mark.parametrize(
    ("model", "arguments", "told"),
    [
        (
            SearchIndex,
            {"query": "a", "filters": {"year": [0] * 20_001}},
            "argument filters has more than 20,000 values",
        ),
        (SearchIndex, {f"secret{n}": 1 for n in range(20_001)}, "The call has more than 20,000 values"),
        (SearchIndex, {"query": "a", "secret": [[1] * 200] * 101}, "An unknown argument has more than 20,000 values"),
        (CreateIndex, {"sortable_fields": {f"s{n}": 1 for n in range(20_001)}}, "The argument sortable_fields"),
        (SearchIndex, {"query": "a" * 1_000_001}, "The argument query has more than 1,000,000 characters"),
        (SearchIndex, {"query": "a", "sort": ["a" * 600_000] * 2}, "argument sort has more than 1,000,000 characters"),
        (SearchIndex, {"query": "a", "filters": {"a" * 1_000_001: 1}}, "argument filters has more than 1,000,000"),
    ],
)
def test_arguments_beyond_a_bound_are_refused_before_they_are_validated(
    model: Any, arguments: dict[str, Any], told: str
) -> None:
    with pytest.raises(Invalid, match=told) as refused:
        read_arguments(model, arguments)
    assert not isinstance(refused.value, WrongArguments)
    assert "secret" not in refused.value.message


def test_documents_may_be_as_large_as_the_body() -> None:
    documents = [{"doc_id": "a", "content": "x" * 2_000_000, "metadata": {"values": [1] * 30_000}}]
    assert read_arguments(AddDocuments, {"documents": documents}).documents == documents
