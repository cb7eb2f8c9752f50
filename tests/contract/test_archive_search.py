"""searchLocalArchives on both engines: shapes, scores, pages, filters."""

import pytest

from indexer.archives.parsed import Link, Place
from tests.contract.caller import failure_of
from tests.contract.shelf import Shelf, page, paper


async def test_the_example_of_the_contract_has_its_shape(shelf: Shelf) -> None:
    cited = page("https://example.com/ml-algorithms", "Algorithms of many kinds.", title="Machine Learning Algorithms")
    text = "Machine learning is a subset of artificial intelligence.\n\nFor more on algorithms, see this resource."
    intro = paper(
        "research-archive/2025-05-20/machine_learning_intro.md",
        text,
        title="Introduction to Machine Learning",
        places=(Place(0, heading="Overview", line=12), Place(58, heading="More", line=20)),
        links=(Link("https://example.com/ml-algorithms", "link", text.index("this resource")),),
    )
    await shelf.put(cited, intro)

    found = await shelf.search("machine learning", includeCitations=True, limit=5, filters={"source": "research"})

    [hit] = found["results"]
    assert hit["document"] == {
        "id": intro.id,
        "title": "Introduction to Machine Learning",
        "path": "research-archive/2025-05-20/machine_learning_intro.md",
        "source": "research",
        "date": "2025-05-20",
        "score": 1.0,
    }
    title, content = hit["highlights"]
    assert title == {
        "field": "title",
        "snippets": ["Introduction to <mark>Machine Learning</mark>"],
        "locations": [{"page": None, "heading": None, "line": None}],
    }
    assert content["field"] == "content"
    assert content["snippets"][0].startswith("<mark>Machine learning</mark> is a subset of artificial intelligence.")
    assert content["locations"] == [{"page": None, "heading": "Overview", "line": 12}]
    assert hit["citations"] == {
        "citing": [
            {
                "sourceId": intro.id,
                "targetId": cited.id,
                "targetUrl": "https://example.com/ml-algorithms",
                "context": "For more on algorithms, see this resource.",
                "confidence": 1.0,
            }
        ],
        "cited": [],
    }
    assert found["citationGraph"] == {
        "nodes": [
            {"id": intro.id, "label": "Introduction to Machine Learning", "type": "source"},
            {"id": cited.id, "label": "Machine Learning Algorithms", "type": "target"},
        ],
        "edges": [{"from": intro.id, "to": cited.id, "confidence": 1.0}],
        "truncated": False,
    }
    assert found["metadata"] == {
        "totalResults": 1,
        "query": "machine learning",
        "fuzzy": True,
        "includeCitations": True,
        "citationDepth": 1,
        "limit": 5,
        "corrected": {},
    }
    assert hit["matched"] == "exact"
    assert (found["facets"], found["did_you_mean"], found["next_cursor"], found["truncated"]) == ({}, None, None, False)


async def test_an_archive_that_was_never_filled_finds_nothing(shelf: Shelf) -> None:
    found = await shelf.search("anything", includeCitations=True)

    assert (found["results"], found["metadata"]["totalResults"]) == ([], 0)
    assert found["citationGraph"] == {"nodes": [], "edges": [], "truncated": False}


async def test_citations_are_left_out_unless_asked_for(shelf: Shelf) -> None:
    await shelf.put(paper("a/one.md", "sonar"))

    found = await shelf.search("sonar")

    assert "citationGraph" not in found
    assert "citations" not in found["results"][0]


async def test_scores_are_parts_of_the_best_one_on_every_page(shelf: Shelf) -> None:
    await shelf.put(*(paper(f"a/{n}.md", "sonar " * (n + 1) + "filler " * 20) for n in range(6)))

    first = await shelf.search("sonar", limit=4)
    second = await shelf.search("sonar", limit=4, cursor=first["next_cursor"])

    scores = [hit["document"]["score"] for hit in (*first["results"], *second["results"])]
    assert scores[0] == 1.0
    assert scores == sorted(scores, reverse=True)
    assert len({hit["document"]["id"] for hit in (*first["results"], *second["results"])}) == 6
    assert first["metadata"]["totalResults"] == second["metadata"]["totalResults"] == 6
    assert second["next_cursor"] is None


@pytest.mark.parametrize(
    ("filters", "found"),
    [
        ({"source": "url"}, {"https://example.com/c"}),
        ({"date": "2025-05-20"}, {"x/2025/a.md", "https://example.com/c"}),
        ({"date": {"lt": "2025-01-01"}}, {"y/b.md"}),
        ({"author": "Ada"}, {"x/2025/a.md"}),
        ({"tags": ["fish", "nets"]}, {"x/2025/a.md", "y/b.md"}),
        ({"path": "y/b.md"}, {"y/b.md"}),
        ({"path": {"prefix": "x/2025/"}}, {"x/2025/a.md"}),
        ({"language": "de"}, {"y/b.md"}),
        ({"title": "Alpha"}, {"x/2025/a.md"}),
        ({"tags": {"exists": False}}, {"https://example.com/c"}),
    ],
)
async def test_every_field_of_the_contract_can_be_filtered_by(
    shelf: Shelf, filters: dict[str, object], found: set[str]
) -> None:
    await shelf.put(
        paper("x/2025/a.md", "sea", title="Alpha", authors=("Ada", "Bo"), tags=("fish",), language="en"),
        paper("y/b.md", "sea", title="Beta", date="2019-03-01", tags=("nets",), language="de"),
        page("https://example.com/c", "sea", title="Gamma"),
    )

    assert set(await shelf.paths("sea", filters=filters)) == found


@pytest.mark.parametrize("filled", [True, False])
async def test_an_unknown_field_is_refused_with_those_that_there_are(shelf: Shelf, filled: bool) -> None:
    if filled:
        await shelf.put(paper("a/one.md", "sea"))

    for named in ({"filters": {"auther": "Ada"}}, {"sort": ["-auther"]}, {"facets": ["auther"]}):
        failure = await failure_of(shelf.search("sea", **named))
        assert failure["error"].startswith("Failed to search local archives: Unknown ")
        assert failure["error_category"] == "validation"
        assert failure["details"]["closest"][0] == "author"
    listed = await failure_of(shelf.list(filters={"dat": "2025"}))
    assert listed["details"]["closest"][0] == "date"


async def test_the_fields_of_every_archive_are_known_before_it_is_filled(shelf: Shelf) -> None:
    fields = ["source", "date", "author", "tags", "path", "language", "title"]

    found = await shelf.search("sea", filters=dict.fromkeys(fields, "2025"), sort=fields, facets=fields)

    assert (found["results"], found["facets"]) == ([], {field: [] for field in fields})


async def test_results_are_sorted_by_date_and_counted_by_tag(shelf: Shelf) -> None:
    await shelf.put(
        paper("a/1.md", "sea", date="2020-01-01", tags=("x",)),
        paper("a/2.md", "sea", date="2022-01-01", tags=("x", "y")),
        paper("a/3.md", "sea", date="2021-06-01T10:00:00"),
    )

    found = await shelf.search("sea", sort=["-date"], facets=["tags"])

    assert [hit["document"]["path"] for hit in found["results"]] == ["a/2.md", "a/3.md", "a/1.md"]
    assert found["facets"] == {"tags": [{"value": "x", "count": 2}, {"value": "y", "count": 1}]}


async def test_a_misspelt_word_is_found_unless_fuzzy_is_off(shelf: Shelf) -> None:
    await shelf.put(paper("a/1.md", "bathymetric survey"))

    corrected = await shelf.search("bathymetrik")
    assert [hit["matched"] for hit in corrected["results"]] == ["fuzzy"]
    assert corrected["metadata"]["corrected"] == {"bathymetrik": ["bathymetric"]}
    exact = await shelf.search("bathymetrik", fuzzy=False)
    assert exact["results"] == []
    assert exact["did_you_mean"] == "bathymetric"


async def test_max_chars_bounds_hits_together_with_their_citations(shelf: Shelf) -> None:
    links = tuple(f"https://example.com/{n}" for n in range(60))
    await shelf.put(*(paper(f"a/{n}.md", "sea " + "more words " * 200, links=links) for n in range(5)))

    found = await shelf.search("sea", includeCitations=True, max_chars=6_000)

    assert found["truncated"] is True
    assert len(str(found["results"])) <= 6_500
    assert all(
        len(field["snippets"]) == len(field["locations"]) for hit in found["results"] for field in hit["highlights"]
    )
