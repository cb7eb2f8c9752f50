"""Every stack gives the same answer to the same question, over GraphQL of any age and over Elasticsearch."""

from itertools import product
from typing import Any

import pytest

from tests.upstreams.quilt import QuiltServer
from tests.upstreams.quilt_caller import Caller, found
from tests.upstreams.quilt_contents import ALPHA, BETA, GAMMA, QuiltObject, QuiltPackage, sample_contents
from tests.upstreams.quilt_routes import GRAPHQL, ROUTES, named, take

CONTENTS = sample_contents()
ALL = 1_000


def objects(*words: str, **where: Any) -> list[QuiltObject]:
    return CONTENTS.objects_with(*words, **where)


def packages(*words: str, **where: Any) -> list[QuiltPackage]:
    return CONTENTS.packages_with(*words, **where)


HAVE = [*objects("salmon", "pike"), *packages("salmon", "pike")]
QUESTIONS: list[tuple[dict[str, Any], list[Any]]] = [
    ({"query": "salmon", "scope": "object"}, objects("salmon")),
    ({"query": "SALMON", "scope": "package"}, packages("salmon")),
    ({"query": "salmon"}, [*objects("salmon"), *packages("salmon")]),
    ({"query": "salmon pike", "scope": "object"}, objects("salmon", "pike")),
    ({"query": "*", "scope": "object"}, objects()),
    ({"query": "*", "scope": "package"}, packages()),
    ({"query": "  "}, [*objects(), *packages()]),
    ({"query": "trout", "bucket": BETA}, [*objects("trout", buckets=[BETA]), *packages("trout", buckets=[BETA])]),
    ({"query": "Öberg", "scope": "package"}, packages("Öberg")),
    ({"query": "csv", "scope": "object", "bucket": GAMMA}, objects("csv", buckets=[GAMMA])),
    ({"query": "set", "scope": "package", "bucket": ALPHA}, packages("set", buckets=[ALPHA])),
    ({"query": "nothingofthekind"}, []),
    ({"query": "catches -salmon", "scope": "package"}, [p for p in packages() if p not in packages("salmon")]),
    ({"query": "-salmon -pike"}, [p for p in (*objects(), *packages()) if p not in HAVE]),
    (
        {"query": "+river +team1 -smith", "scope": "package"},
        [p for p in packages("team1") if p not in packages("smith")],
    ),
    ({"query": "team1 AND jones", "scope": "package"}, [p for p in packages("team1") if p in packages("jones")]),
    ({"query": "salmon NOT team1", "scope": "package"}, [p for p in packages("salmon") if p not in packages("team1")]),
    ({"query": 'salmon AND "set 5"', "scope": "package"}, [p for p in packages("salmon") if p.name.endswith("set-5")]),
    ({"query": "withdrawn"}, []),
    ({"query": "superseded", "scope": "package"}, []),
    ({"query": "*", "scope": "object", "filters": {"ext": ".csv"}}, [o for o in objects() if o.ext == ".csv"]),
    (
        {"query": "*", "scope": "object", "filters": {"ext": [".md", ".gz"]}},
        [o for o in objects() if o.ext in {".md", ".gz"}],
    ),
    (
        {"query": "salmon", "scope": "object", "filters": {"size": {"gte": 400, "lt": 1_200}}},
        [o for o in objects("salmon") if 400 <= o.size < 1_200],
    ),
    (
        {"query": "*", "scope": "object", "filters": {"modified": {"gte": "2024-01-05", "lte": "2024-01-09"}}},
        [o for o in objects() if 5 <= o.modified.day <= 9 and o.modified.month == 1],
    ),
    (
        {"query": "*", "scope": "package", "filters": {"size": {"gt": 4_000, "lte": 12_000}}},
        [p for p in packages() if 4_000 < p.latest.size <= 12_000],
    ),
    (
        {"query": "*", "filters": {"modified": {"gte": "2024-02-05T00:00:00Z"}}},
        [
            *(o for o in objects() if o.modified.isoformat() >= "2024-02-05"),
            *(p for p in packages() if p.latest.modified.isoformat() >= "2024-02-05"),
        ],
    ),
]


@pytest.mark.parametrize("route", ROUTES)
async def test_every_route_finds_what_is_there_and_nothing_else(quilt: QuiltServer, call: Caller, route: str) -> None:
    take(quilt, route)
    for question, expected in QUESTIONS:
        result = await call(**question, limit=ALL)
        assert result["success"], (question, result)
        assert sorted(found(result)) == named(expected), question
        assert result["total_results"] == len(expected), question
        assert result["backend_used"] == result["backend_status"]["backend"] == route.partition("-")[0]
        assert (result["next_cursor"], result["truncated"]) == (None, False), question


META: list[tuple[dict[str, Any], Any]] = [
    ({"meta.author": "Smith"}, lambda meta: meta["author"] == "Smith"),
    ({"meta.author": ["Smith", "Öberg"]}, lambda meta: meta["author"] in {"Smith", "Öberg"}),
    ({"meta.year": {"gte": 2020, "lte": 2023}}, lambda meta: 2020 <= meta["year"] <= 2023),
    ({"meta.depth": 3.5}, lambda meta: meta["depth"] == 3.5),
    ({"meta.reviewed": True}, lambda meta: meta["reviewed"]),
    ({"meta.collected": {"gte": "2021-05-04"}}, lambda meta: meta["collected"] >= "2021-05-04"),
    ({"meta.tags": "pike"}, lambda meta: "pike" in meta["tags"]),
    ({"meta.author": "Jones", "meta.reviewed": False}, lambda meta: meta["author"] == "Jones" and not meta["reviewed"]),
]


@pytest.mark.parametrize("route", [*GRAPHQL, "elasticsearch-joined"])
async def test_packages_are_filtered_by_their_metadata(quilt: QuiltServer, call: Caller, route: str) -> None:
    take(quilt, route)
    for filters, holds in META:
        result = await call("*", scope="package", filters=filters, limit=ALL)
        assert result["success"], (filters, result)
        expected = [each for each in packages() if holds(each.latest.meta)]
        assert sorted(found(result)) == named(expected), filters
        assert result["total_results"] == len(expected) > 0


@pytest.mark.parametrize("question", [{"scope": "object", "bucket": GAMMA}, {"scope": "package"}, {}])
async def test_every_route_tells_the_same_of_what_it_finds(
    quilt: QuiltServer, call: Caller, question: dict[str, Any]
) -> None:
    told = []
    for route in ROUTES:
        take(quilt, route)
        result = await call("salmon", **question, limit=ALL, refresh=True)
        assert result["backend_used"] == route.partition("-")[0]
        # Scores are each engine's own, and so are its ids.
        rows = [{**each, "id": None, "score": None} for each in result["results"]]
        told.append(sorted(rows, key=lambda each: (each["type"], each["bucket"], each["name"])))
        assert len({each["id"] for each in result["results"]}) == len(rows) > 0
    for each in told[1:]:
        assert each == told[0]


@pytest.mark.parametrize("route", ROUTES)
async def test_results_have_what_the_contract_says(quilt: QuiltServer, call: Caller, route: str) -> None:
    take(quilt, route)
    (first, *_) = (await call("*", scope="object", bucket=ALPHA, order="oldest", limit=5))["results"]
    assert {name: first[name] for name in ("type", "bucket", "name", "title", "size")} == {
        "type": "object",
        "bucket": ALPHA,
        "name": "data/f0.csv",
        "title": "f0.csv",
        "size": 0,
    }
    assert (first["modified"], first["metadata"]) == ("2024-01-01T00:00:00Z", {})
    assert first["s3_uri"] == f"s3://{ALPHA}/data/f0.csv?versionId=v0.0"
    assert isinstance(first["score"], float)
    (package, *_) = (await call("*", scope="package", bucket=BETA, order="newest", limit=5))["results"]
    newest = max(packages(buckets=[BETA]), key=lambda each: each.latest.modified)
    assert package["name"] == newest.name
    assert package["title"] in newest.name
    assert (package["size"], package["metadata"]) == (newest.latest.size, newest.latest.meta)
    assert package["s3_uri"] == f"quilt+s3://{BETA}#package={newest.name}@{newest.latest.hash}"


@pytest.mark.parametrize("route", ROUTES)
async def test_results_come_in_the_order_that_was_asked_for(quilt: QuiltServer, call: Caller, route: str) -> None:
    take(quilt, route)
    expected = {"object": len(objects("salmon", "pike")), "package": len(packages("salmon", "pike"))}
    expected["all"] = sum(expected.values())
    for order, (scope, count) in product(("newest", "oldest", "name"), expected.items()):
        result = await call("salmon pike", scope=scope, order=order, limit=ALL)
        keys = [each["name"] if order == "name" else each["modified"] for each in result["results"]]
        assert keys == sorted(keys, reverse=order == "newest")
        assert len(keys) == result["total_results"] == count
