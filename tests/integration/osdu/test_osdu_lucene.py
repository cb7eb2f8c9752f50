"""The check of queries against the parser that decides: `query_string` of a real OpenSearch."""

import json
import os
from collections.abc import Iterator
from itertools import islice
from typing import Any

import httpx
import pytest

from app.sandbox.osdu.records import INDEX, index_of
from mcp_server.features.osdu.query.checks import check_query
from mcp_server.lucene.syntax import fields_of
from mcp_server.lucene.tokens import SyntaxProblem
from tests.upstreams.lucene_queries import lucene_queries
from tests.upstreams.opensearch_engine import filled
from tests.upstreams.osdu_records import sample_records

ACCEPTED = 10_000 if os.environ.get("TRAWL_THOROUGH") else 2_000
BATCH = 500


@pytest.fixture(scope="module")
def index(opensearch_url: str) -> Iterator[str]:
    with filled(opensearch_url, [index_of(sample_records())]) as prefix:
        yield f"{prefix}{INDEX}"


def answers(client: httpx.Client, index: str, queries: list[str]) -> list[dict[str, Any]]:
    lines: list[str] = []
    for query in queries:
        lines += (json.dumps({"index": index}), json.dumps({"size": 0, "query": {"query_string": {"query": query}}}))
    body = "\n".join(lines) + "\n"
    reply = client.post("/_msearch", content=body, headers={"content-type": "application/x-ndjson"})
    found: list[dict[str, Any]] = reply.raise_for_status().json()["responses"]
    return found


def problem(query: str) -> SyntaxProblem | None:
    try:
        fields_of(query)
    except SyntaxProblem as found:
        return found
    return None


def test_nothing_that_lucene_accepts_is_refused_and_nearly_all_that_it_rejects_is_stopped(
    opensearch_url: str, index: str
) -> None:
    queries = lucene_queries(seed=2_026)
    accepted = rejected = stopped = 0
    refused: list[str] = []
    with httpx.Client(base_url=opensearch_url, timeout=120, trust_env=False) as client:
        while accepted < ACCEPTED:
            batch = list(islice(queries, BATCH))
            for query, answer in zip(batch, answers(client, index, batch), strict=True):
                found = problem(query)
                if "error" not in answer:
                    accepted += 1
                    refused += [query] if found is not None else []
                elif "Cannot parse" in json.dumps(answer["error"]):
                    rejected += 1
                    stopped += found is not None
                    assert found is None or 0 <= found.position <= len(query)
    print(f"{accepted} accepted, {len(refused)} of them refused; {rejected} rejected, {stopped} of them stopped")
    assert refused == []
    assert rejected > ACCEPTED / 10
    assert stopped >= 0.9 * rejected


@pytest.mark.parametrize(
    "query",
    [
        "",
        "  ",
        "*",
        "*:*",
        "well*",
        "(well AND log)",
        'data.UWI:"8690"',
        "data.Name:*test*",
        "data.SpudDate:[2020-01-01 TO 2023-12-31]",
        '(data.A:"value1") AND (data.B:"value2")',
        'data.Field:("value1" OR "value2")',
        'data.Field:* AND NOT data.Field:"excluded"',
        "data.Code:?00",
        "data.Value:{100 TO 200}",
        "data.Value:[100 TO 200}",
        "nested(data.NameAliases, (AliasName:(>15)))",
        "data.Depth:>=1000",
        "a && b || !c",
        "/[a-z]+/",
        "roam~0.8^2",
        '"a b"~5',
        "+a -b",
        "- b",
        "(" * 50 + "a" + ")" * 50,
        "a" * 10_000,
    ],
)
def test_queries_of_the_guide_and_other_right_ones_pass_on_both_sides(
    opensearch_url: str, index: str, query: str
) -> None:
    check_query(query)
    with httpx.Client(base_url=opensearch_url, timeout=120, trust_env=False) as client:
        (answer,) = answers(client, index, [query])
    assert "error" not in answer
