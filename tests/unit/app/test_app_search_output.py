from typing import Any

import click

from app.cli.commands.search_output import render_archive_results
from app.cli.commands.search_output import render_index_results as rendered


def result(**given: Any) -> dict[str, Any]:
    hit = {
        "doc_id": "doc-1",
        "title": "doc-1",
        "score": 3.716,
        "highlights": ["a <mark>net</mark> &amp; a &lt;boat&gt;"],
        "metadata": {},
    }
    return {"total_matches": 1, "did_you_mean": None, "results": [{**hit, **given}]}


def test_a_hit_shows_its_id_score_and_text_with_marks_in_bold() -> None:
    shown = rendered(result())
    assert click.style("net", bold=True) in shown
    assert click.unstyle(shown).splitlines() == ["1 match", "", "1. doc-1  3.72", "   a net & a <boat>"]


def test_a_hit_with_a_title_shows_its_id_below() -> None:
    assert click.unstyle(rendered(result(title="Nets"))).splitlines()[2:4] == ["1. Nets  3.72", "   doc-1"]


def test_metadata_is_shown_where_it_is_flat() -> None:
    shown = click.unstyle(rendered(result(metadata={"author": "Holt", "tags": ["a", "b"], "deep": {"x": 1}})))
    assert shown.splitlines()[-1] == "   author: Holt · tags: a, b"


def test_a_document_cannot_steer_the_terminal() -> None:
    shown = rendered(
        result(
            doc_id="a\x1b[2Jb", title="c\x1b[2J", highlights=["x\x1b]0;title\x07 &#27;[2J"], metadata={"k": "v\x1b[31m"}
        )
    )
    assert "\x1b[2J" not in shown
    assert "\x1b]" not in shown
    assert "\x1b[31m" not in shown
    assert "\x07" not in shown


def test_nothing_found_comes_with_a_suggestion() -> None:
    shown = rendered({"total_matches": 0, "did_you_mean": "trawl", "results": []})
    assert shown.splitlines() == ["0 matches", "Did you mean: trawl"]


def archived(**given: Any) -> dict[str, Any]:
    document = {"id": "d_1", "title": "Nets", "path": "notes/nets.md", "date": "2021-04-12", "score": 0.987}
    place = {"page": 3, "heading": "Gear", "line": 12}
    title = {"field": "title", "snippets": ["<mark>Nets</mark>"], "locations": [{**place, "page": None}]}
    content = {"field": "content", "snippets": ["a <mark>net</mark> &amp; a boat"], "locations": [place]}
    hit = {"document": document, "highlights": [title, content]}
    return {"metadata": {"totalResults": 1}, "did_you_mean": None, "results": [{**hit, **given}]}


def test_a_hit_of_the_archive_shows_title_path_and_the_place_of_each_passage() -> None:
    assert click.unstyle(render_archive_results(archived())).splitlines() == [
        "1 match",
        "",
        "1. Nets  0.99",
        "   notes/nets.md · 2021-04-12 · d_1",
        "   a net & a boat  (page 3, line 12, Gear)",
    ]


def test_citations_are_shown_by_document_or_by_address() -> None:
    citing = [{"targetId": "d_2", "targetUrl": "b.md"}, {"targetId": None, "targetUrl": "https://example.org/x"}]
    shown = click.unstyle(
        render_archive_results(archived(citations={"citing": citing, "cited": [{"sourceId": "d_3"}]}))
    )
    assert shown.splitlines()[-3:] == ["   cites d_2", "   cites https://example.org/x", "   cited by d_3"]


def test_an_archived_document_cannot_steer_the_terminal() -> None:
    document = {"id": "d", "title": "a\x1b[2J", "path": "p\x1b]0;x\x07", "date": None, "score": 1.0}
    place = {"page": None, "heading": None, "line": None}
    content = {"field": "content", "snippets": ["x\x1b[31m &#27;[2J"], "locations": [place]}
    shown = render_archive_results(archived(document=document, highlights=[content]))
    assert all(sequence not in shown for sequence in ("\x1b[2J", "\x1b]", "\x1b[31m", "\x07"))
