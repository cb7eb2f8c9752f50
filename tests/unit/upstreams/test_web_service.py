"""What the service itself decides: which sources are shown, what is kept, and what a text-only client reads."""

from pathlib import Path
from typing import Any

import pytest

from indexer.engines.tantivy.records import SqliteRecords
from mcp_server.features.web.arguments import ListHistory, SearchWeb
from mcp_server.features.web.results import WebCitation, WebResult
from mcp_server.features.web.service import WebService
from mcp_server.features.web.settings import WebSettings
from mcp_server.features.web.text import deleted_text, history_text, web_text
from mcp_server.features.web.upstream import open_web
from mcp_server.shared import Shared
from mcp_server.upstream.upstream import Opening
from tests.made_services import MAIN
from tests.upstreams.openai import KEY, openai_server


def opened(url: str, records: SqliteRecords | None = None, **changes: Any) -> WebService:
    # The first question imports the SDK, which may take long where much else runs.
    settings = WebSettings(_env_file=None, api_key=KEY, base_url=url, timeout=250, **changes)
    return open_web(settings, Opening((b"key",), Shared(None), records))


@pytest.mark.parametrize("answers", [True, False])
async def test_nothing_is_cited_from_a_blocked_domain(answers: bool) -> None:
    async with openai_server() as server:
        service = opened(server.url, blocked_domains="belizereef.example")
        result = await service.search_web(MAIN, SearchWeb(query="are reefs well", includeAnswers=answers))
        await service.aclose()
    (citation,) = result["citations"]
    assert (citation["url"], citation["rank"]) == ("https://coralwatch.example/2025", 1)
    assert result["text"][citation["startIndex"] : citation["endIndex"]] == citation["textSnippet"]
    assert ("belizereef" in result["text"]) is answers


async def test_a_search_is_kept_for_a_team_that_asked_for_it_and_for_no_other(tmp_path: Path) -> None:
    records = SqliteRecords(tmp_path / "records.sqlite3")
    async with openai_server() as server:
        for history, kept in (("main", True), ("another", False)):
            service = opened(server.url, records, history=history)
            await service.search_web(MAIN, SearchWeb(query=" are reefs well "))
            listed = await service.list_history(MAIN, ListHistory())
            assert [search["query"] for search in listed["searches"]] == ["are reefs well"]
            assert listed["kept"] is kept
            await service.aclose()
    records.close()


def test_a_text_has_the_answer_and_its_sources() -> None:
    source = WebCitation(url="https://a.org/", title="", textSnippet="Reefs", startIndex=0, endIndex=5, rank=1)
    result = WebResult(
        success=True,
        text="Reefs grow",
        citations=[source],
        provider="gpt-5-nano-web-search",
        respondedAt="",
        cached=False,
    )
    assert web_text(result).splitlines() == [
        "Reefs grow",
        "",
        "Sources, by gpt-5-nano-web-search",
        "1. https://a.org/: https://a.org/",
    ]
    result |= {"cached": True, "incomplete": "max_output_tokens"}
    assert "from the cache" in web_text(result)
    assert "ends too early" in web_text(result)


def test_a_text_says_whether_searches_are_kept() -> None:
    assert "not kept" in history_text({"success": True, "searches": [], "total": 0, "kept": False})
    assert "not kept" not in history_text({"success": True, "searches": [], "total": 0, "kept": True})
    assert deleted_text({"success": True, "deleted": 3}) == "deleted 3 searches"
