"""What all sources tell together: totals, facets, suggestions, pages and the details of a result in full."""

from typing import Any

import pytest

from indexer.engines.counts import FacetValue
from indexer.errors import Invalid, Unavailable
from mcp_server.document_ids import DocumentKey
from mcp_server.features.everywhere.text import everywhere_text
from mcp_server.search_source import Answer, ExplanationPart, Finding, FindingDetails, Passage, Question, SourceName
from tests.unit.everywhere.made_sources import answered, fails, finding, finds, source

URL = "https://example.org/reef"


def answers(name: SourceName, answer: Answer) -> Any:
    """Return a source that answers so."""

    async def ask(_: Question) -> Answer:
        return answer

    return source(name, ask)


def told(text: str, **more: Any) -> FindingDetails:
    return FindingDetails(passages=[Passage(text=text, page=1, heading=None, line=None)], **more)


async def test_the_total_is_that_of_the_sources_that_count() -> None:
    archive, indices = answers("archive", Answer(total=3)), answers("indices", Answer(total=4))
    result = await answered(archive, indices, finds("web"), fails("osdu", Unavailable("Down", action="Wait")))
    assert result["total"] == 7


async def test_counts_of_a_value_are_summed_by_its_type() -> None:
    archive = Answer(facets=[{"tag": [FacetValue("b", 2), FacetValue(1, 1)]}])
    indices = Answer(
        facets=[
            {"tag": [FacetValue("a", 1), FacetValue(value=True, count=1)]},
            {"tag": [FacetValue("a", 1), FacetValue(1, 2)], "other": [FacetValue("x", 9)]},
        ]
    )
    result = await answered(answers("archive", archive), answers("indices", indices), facets=["tag", "none"])
    assert result["facets"] == {
        "tag": [
            {"value": 1, "count": 3},
            {"value": "a", "count": 2},
            {"value": "b", "count": 2},
            {"value": True, "count": 1},
        ],
        "none": [],
    }
    assert [type(each["value"]) for each in result["facets"]["tag"]] == [int, str, str, bool]
    text = everywhere_text(result)
    assert 'tag: 1 (3), "a" (2), "b" (2), true (1)' in text


@pytest.mark.parametrize(
    ("archive", "indices", "suggested"),
    [
        (Answer(total=0, did_you_mean="reef"), Answer(total=0), "reef"),
        (Answer(total=0), Answer(total=2, did_you_mean="reefs"), "reefs"),
        (Answer(total=0, did_you_mean="reef"), Answer(total=0, did_you_mean="reefs"), "reef"),
        (Answer(total=0, did_you_mean="reef"), Answer(total=3), None),
        (Answer([finding("a", is_close=True)], total=9, did_you_mean="reef"), Answer(total=0), "reef"),
        (Answer(total=0), Answer(total=0), None),
    ],
)
async def test_a_query_is_suggested_only_where_few_documents_match_exactly(
    archive: Answer, indices: Answer, suggested: str | None
) -> None:
    result = await answered(answers("archive", archive), answers("indices", indices))
    assert result["did_you_mean"] == suggested
    assert ("Did you mean: " in everywhere_text(result)) is (suggested is not None)


async def test_a_page_goes_on_where_the_one_before_ended() -> None:
    archive = finds("archive", *(finding(f"a{number}") for number in range(9)))
    indices = finds("indices", *(finding(f"i{number}") for number in range(9)))
    whole = await answered(archive, indices, limit=12)
    first, second = [await answered(archive, indices, limit=6, page=number) for number in (1, 2)]
    assert [*first["results"], *second["results"]] == whole["results"]
    assert [hit["rank"] for hit in second["results"]] == list(range(7, 13))


async def test_sources_are_asked_as_deep_as_the_page_ends() -> None:
    asked: list[int] = []

    async def notes(question: Question) -> Answer:
        asked.append(question.depth)
        return Answer()

    await answered(source("archive", notes), limit=20, page=3)
    assert asked == [60]
    with pytest.raises(Invalid, match="beyond the first 1,000"):
        await answered(source("archive", notes), limit=100, page=11)


async def test_findings_are_in_the_order_of_their_values_with_missing_ones_last() -> None:
    archive = finds(
        "archive", *(finding(id_, sort_values=(value,)) for id_, value in [("c", "3"), ("a", "1"), ("z", None)])
    )
    indices = finds("indices", *(finding(id_, sort_values=(value,)) for id_, value in [("b", "3"), ("y", None)]))
    down = await answered(archive, indices, sort=["-date"])
    assert [hit["id"] for hit in down["results"]] == ["b", "c", "a", "y", "z"]
    assert [hit["id"] for hit in (await answered(archive, indices, sort=["date"]))["results"]] == [
        "a",
        "b",
        "c",
        "y",
        "z",
    ]


@pytest.mark.parametrize(
    ("arguments", "message", "action"),
    [
        ({"filters": {"tag": "x"}}, "filters work in", "Leave out filters to"),
        ({"sort": ["-date"]}, "sorting works in", "Leave out sort to"),
        ({"filters": {"tag": "x"}, "sort": ["date"]}, "filters and sorting work in", "Leave out filters and sort to"),
    ],
)
async def test_what_others_cannot_do_is_told_and_they_are_not_asked(
    arguments: dict[str, Any], message: str, action: str
) -> None:
    async def never(_: Question) -> Answer:
        raise AssertionError

    result = await answered(finds("archive", finding("a", sort_values=(None,))), source("osdu", never), **arguments)
    osdu = result["sources"][1]
    assert (osdu["success"], osdu["error_category"], osdu["count"]) == (False, "not_applicable", 0)
    assert message in osdu["error"]
    assert osdu["fix"]["required_action"].startswith(action)


async def test_details_are_made_for_the_results_that_are_shown_alone() -> None:
    made: list[str] = []

    def described(id_: str) -> Finding:
        def details() -> FindingDetails:
            made.append(id_)
            return told(id_)

        return finding(id_, details=details)

    archive = finds("archive", *(described(f"a{number}") for number in range(6)))
    result = await answered(archive, limit=2, page=2)
    assert [hit["passages"][0]["text"] for hit in result["results"]] == made == ["a2", "a3"]
    for detail in ("brief", "ids"):
        await answered(archive, detail=detail)
    assert made == ["a2", "a3"]


async def test_details_come_from_the_first_finding_that_has_any() -> None:
    parts = [ExplanationPart(what=f"w{number}", kind="word", score=1.0) for number in range(15)]
    web = finds("web", finding(URL, URL, details=FindingDetails))
    archive = finds(
        "archive",
        finding("x"),
        finding("a", URL, details=lambda: told("passage", fields={"path": "a.md"}, explanation=parts)),
    )
    result = await answered(web, archive, sources=["web", "archive"])
    hit = result["results"][0]
    assert (hit["source"], hit["matched"]) == ("web", "exact")
    assert hit["fetch_id"] == DocumentKey("archive", None, "a").encode()
    assert hit["passages"][0]["text"] == "passage"
    assert hit["fields"] == {"path": "a.md"}
    assert len(hit["explanation"]) == 12
    assert " why: w0 (word) 1, w1 (word) 1" in everywhere_text(result)


async def test_a_page_of_the_web_alone_has_no_id_to_fetch_it_by() -> None:
    [hit] = (await answered(finds("web", finding(URL, URL)), sources=["web"]))["results"]
    assert (hit["fetch_id"], hit["passages"], hit["fields"]) == (None, [], {})
    assert "explanation" not in hit


async def test_a_result_is_close_only_where_all_its_findings_are() -> None:
    close = finds("archive", finding("a", URL, is_close=True), finding("b", is_close=True))
    exact = finds("indices", finding("i", URL))
    hits = {hit["id"]: hit["matched"] for hit in (await answered(close, exact))["results"]}
    assert hits == {"i": "exact", "b": "fuzzy"}


async def test_passages_fields_and_reasons_are_cut_to_fit() -> None:
    parts = [ExplanationPart(what=f"w{number}", kind="word", score=1.0) for number in range(12)]
    long = told("<mark>reef</mark> " * 100, fields={"long": "x" * 900, "many": ["y"] * 60}, explanation=parts)
    archive = finds("archive", *(finding(f"a{number}", details=lambda: long) for number in range(3)))
    result = await answered(archive, max_chars=1_500)
    assert result["truncated"]
    for hit in result["results"]:
        assert len(hit["fields"]["long"]) < 900
        for passage in hit["passages"]:
            assert passage["text"].count("<mark>") == passage["text"].count("</mark>")
            assert (passage["page"], passage["heading"], passage["line"]) == (1, None, None)
