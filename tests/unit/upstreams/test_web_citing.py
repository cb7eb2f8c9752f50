"""Indices, snippets and ranks, whatever the provider's annotations look like."""

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from indexer.errors import RateLimited
from indexer.text.clean import clean_text
from mcp_server.features.web.provider.citing import cite_passages, cite_text
from mcp_server.features.web.provider.response import count_searches, decode_response, extract_answer
from mcp_server.upstream.errors import Provider
from mcp_server.upstream.guard.attempts import AttemptFailed

STEADY = settings(
    deadline=None, derandomize=True, database=None, max_examples=300, suppress_health_check=list(HealthCheck)
)
SEARCH = {"type": "web_search_call", "id": "ws_1", "status": "completed"}


def cites(start: Any, end: Any, url: Any = "https://a.org/x", title: Any = "X") -> dict[str, Any]:
    return {"type": "url_citation", "start_index": start, "end_index": end, "url": url, "title": title}


def message(*parts: tuple[str, list[Any]]) -> dict[str, Any]:
    content = [{"type": "output_text", "text": text, "annotations": annotations} for text, annotations in parts]
    return {"type": "message", "content": content}


def answer(*steps: Any, **more: Any) -> dict[str, Any]:
    return {"status": "completed", "output": [SEARCH, *steps], **more}


INDICES = st.one_of(st.integers(-5, 60), st.none(), st.integers(10**9, 10**20))
TEXTS = st.text("ab \n\u200b\u202e\U0001f40b\u0301\U000e0041\u2028", max_size=40)
ANNOTATIONS = st.lists(
    st.builds(cites, INDICES, INDICES, st.sampled_from(["https://a.org/1", "https://a.org/2?ref=a", "x:y"])), max_size=6
)
MESSAGES = st.lists(st.lists(st.tuples(TEXTS, ANNOTATIONS), max_size=3), min_size=1, max_size=3)


@STEADY
@given(MESSAGES, st.integers(1, 8), st.booleans())
def test_a_snippet_is_always_what_its_indices_cut_from_the_text(
    given_messages: list[list[tuple[str, list[Any]]]], most: int, answers: bool
) -> None:
    whole = answer(message(("fish", [])), *(message(*parts) for parts in given_messages))
    reading = extract_answer(whole)
    text, citations = (cite_text if answers else cite_passages)(reading.text, reading.sources, most)
    assert clean_text(text) == text
    assert len(citations) <= most
    assert [citation["rank"] for citation in citations] == list(range(1, len(citations) + 1))
    assert len({citation["url"] for citation in citations}) == len(citations)
    for citation in citations:
        assert 0 <= citation["startIndex"] <= citation["endIndex"] <= len(text)
        assert text[citation["startIndex"] : citation["endIndex"]] == citation["textSnippet"]
        assert answers or len(citation["textSnippet"].splitlines()) <= 1
    if not answers:
        passages = dict.fromkeys(citation["textSnippet"] for citation in citations)
        assert text.splitlines() == [passage for passage in passages if passage]


def test_indices_count_code_points_and_follow_removed_characters() -> None:
    raw = "\u200b\U0001f40b reefs\u202e grow\u200b fast"
    start, end = raw.index("grow"), raw.index(" fast")
    reading = extract_answer(answer(message((raw, [cites(start, end)]))))
    assert reading.text == "\U0001f40b reefs grow fast"
    _, (citation,) = cite_text(reading.text, reading.sources, 5)
    assert (citation["textSnippet"], citation["startIndex"], citation["endIndex"]) == ("grow", 8, 12)


def test_several_messages_are_one_text_with_shifted_indices() -> None:
    reading = extract_answer(
        answer(
            message(("First.", [cites(0, 5, "https://a.org/1")])),
            {"type": "reasoning", "summary": []},
            message(("Second ", [cites(0, 6, "https://a.org/2")]), ("part.", [cites(0, 4, "https://a.org/3")])),
        )
    )
    text, citations = cite_text(reading.text, reading.sources, 5)
    assert text == "First.\n\nSecond part."
    assert [citation["textSnippet"] for citation in citations] == ["First", "Second", "part"]


@pytest.mark.parametrize(
    ("start", "end", "snippet"),
    [(0, 4, "Reef"), (-3, 4, "Reef"), (5, 99, "fish"), (99, 120, ""), (4, 0, ""), (None, 4, "Reef"), ("0", None, "")],
    ids=["inside", "before the start", "past the end", "outside", "inverted", "no start", "no numbers"],
)
def test_odd_indices_keep_the_source(start: Any, end: Any, snippet: str) -> None:
    reading = extract_answer(answer(message(("Reef fish", [cites(start, end)]))))
    _, (citation,) = cite_text(reading.text, reading.sources, 5)
    assert (citation["url"], citation["textSnippet"]) == ("https://a.org/x", snippet)


def test_the_same_address_is_one_citation_where_it_came_first() -> None:
    tracked = cites(5, 9, "https://a.org/x?utm_source=openai", "Later")
    reading = extract_answer(
        answer(message(("Reef fish swim", [cites(0, 4), tracked, cites(10, 14, "https://b.org/")])))
    )
    _, citations = cite_text(reading.text, reading.sources, 5)
    assert [(each["url"], each["textSnippet"], each["rank"]) for each in citations] == [
        ("https://a.org/x", "Reef", 1),
        ("https://b.org/", "swim", 2),
    ]


def test_passages_alone_stand_one_a_line() -> None:
    text = "Reefs grow. Fish swim. Nothing.\nCrabs."
    annotations = [cites(12, 16, "https://a.org/1"), cites(3, 8, "https://a.org/2"), cites(3, 20, "https://a.org/3")]
    reading = extract_answer(answer(message((text, annotations))))
    lines, citations = cite_passages(reading.text, reading.sources, 5)
    assert lines == "Fish swim.\nReefs grow.\nReefs grow. Fish swim."
    assert [(each["startIndex"], each["endIndex"]) for each in citations] == [(0, 10), (11, 22), (23, 45)]


def test_a_text_of_markers_alone_is_cited_as_it_stands() -> None:
    reading = extract_answer(answer(message(("([a.org](https://a.org/x?ref=1))", [cites(0, 32)]))))
    lines, (citation,) = cite_passages(reading.text, reading.sources, 5)
    assert lines == citation["textSnippet"] == "([a.org](https://a.org/x))"


def test_indices_follow_removed_tracking_parameters() -> None:
    raw = "\U0001f40b https://a.org/?utm_source=x&id=1 says: reefs grow"
    start = raw.index("grow")
    whole = extract_answer(
        answer(message((raw, [cites(start, start + 4), cites(raw.index("utm"), start, "https://b.org/")])))
    )
    text, citations = cite_text(whole.text, whole.sources, 5)
    assert text == "\U0001f40b https://a.org/?id=1 says: reefs grow"
    assert [each["textSnippet"] for each in citations] == ["grow", "id=1 says: reefs "]


@pytest.mark.parametrize("title", [None, 7, "\u202eX\u200b"])
def test_titles_are_clean_text(title: Any) -> None:
    (source,) = extract_answer(answer(message(("Reef", [cites(0, 4, title=title)])))).sources
    assert source.title == ("X" if isinstance(title, str) else "")


@pytest.mark.parametrize(
    "annotation", [None, "x", {}, cites(0, 4, None), cites(0, 4, "javascript:x"), {"type": "file"}]
)
def test_other_annotations_are_passed_over(annotation: Any) -> None:
    assert extract_answer(answer(message(("Reef", [annotation])))).sources == []


@pytest.mark.parametrize(
    ("whole", "reason"),
    [
        ({"output": [message(("Reef", []))]}, "no search"),
        ({"output": [{**SEARCH, "status": "failed"}, message(("Reef", []))]}, "no search"),
        ({"output": []}, "no search"),
        ({"output": None}, "no search"),
        ({}, "no search"),
        (answer(), "no text"),
        (answer(message((" \n", []))), "no text"),
        (answer({"type": "message", "content": [{"type": "refusal", "refusal": "No."}]}), "no text"),
        (answer({"type": "message", "content": None}), "no text"),
        (
            answer(status="incomplete", incomplete_details={"reason": "max_output_tokens"}),
            "incomplete: max_output_tokens",
        ),
        (
            answer(message(("Reef", [])), status="incomplete", incomplete_details={"reason": "content_filter"}),
            "incomplete",
        ),
        (answer(message(("Reef", [])), status="incomplete", incomplete_details=None), "incomplete"),
        (answer(message(("Reef", [])), status="queued"), "not completed"),
    ],
)
def test_what_is_no_searched_answer_cannot_be_read(whole: dict[str, Any], reason: str) -> None:
    with pytest.raises(AttemptFailed) as failed:
        extract_answer(whole)
    error = failed.value.error
    assert (error.message, error.category) == ("Invalid response format", "parse")
    assert error.details == {"reason": reason}
    assert not failed.value.retry


@pytest.mark.parametrize("body", [b"", b"{", b"null", b'"text"', b"7", b"<html>"])
def test_a_body_that_is_no_object_cannot_be_read(body: bytes) -> None:
    with pytest.raises(AttemptFailed) as failed:
        decode_response(body)
    assert failed.value.error.category == "parse"


@pytest.mark.parametrize(
    ("code", "kind", "broke"),
    [
        ("server_error", Provider, True),
        ("rate_limit_exceeded", RateLimited, False),
        ("invalid_prompt", Provider, False),
    ],
)
def test_a_failed_answer_is_the_providers_failure(code: str, kind: type[Exception], broke: bool) -> None:
    with pytest.raises(AttemptFailed) as failed:
        extract_answer(answer(status="failed", error={"code": code, "message": "It broke"}))
    assert isinstance(failed.value.error, kind)
    assert failed.value.upstream_broke is broke
    assert "It broke" not in str(failed.value.error.failure())


def test_a_text_that_was_cut_off_says_so() -> None:
    reading = extract_answer(
        answer(message(("Reef", [])), status="incomplete", incomplete_details={"reason": "max_output_tokens"})
    )
    assert (reading.text, reading.incomplete) == ("Reef", "max_output_tokens")


def test_searches_are_counted_by_their_actions() -> None:
    actions = [{"type": "search", "queries": ["a", "b"]}, {"type": "open_page"}, {"type": "find_in_page"}, None, {}]
    calls = [{**SEARCH, "action": action} for action in actions]
    assert count_searches({"output": [SEARCH, *calls]}) == 4
