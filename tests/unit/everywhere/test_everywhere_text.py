"""Results as text."""

from indexer.errors import Unavailable
from mcp_server.features.everywhere.text import everywhere_text
from tests.unit.everywhere.made_sources import answered, fails, finding, finds


async def test_everything_to_go_on_with_is_in_the_text() -> None:
    url = "https://example.org/reef"
    text = everywhere_text(
        await answered(
            finds("archive", finding("d_1", url, snippet="a <mark>reef</mark>")),
            finds("indices", finding("doc-1", url, index_name="notes"), finding("doc-2", index_name="notes")),
            fails("osdu", Unavailable("It is down", action="Wait a minute")),
            finds("quilt", is_configured=False),
        )
    )
    lines = text.splitlines()
    assert lines[0] == "2 results"
    assert lines[1] == "1. (1) About d_1 [archive: d_1]"
    assert lines[2:5] == [f" {url}", " a <mark>reef</mark>", " also in indices notes: doc-1"]
    assert lines[5].endswith(" About doc-2 [indices notes: doc-2]")
    assert "- archive: 1 found in " in text
    assert "failed (unavailable): It is down. Fix: Wait a minute" in text
    assert lines[-1] == "Not configured, so not asked: quilt"


async def test_an_address_that_is_the_id_is_not_repeated() -> None:
    url = "https://example.org/reef"
    text = everywhere_text(await answered(finds("web", finding(url, url)), sources=["web"]))
    assert text.count(url) == len(["the title", "the id"])


async def test_what_was_cut_is_told() -> None:
    many = [finding(f"id{number}", snippet="reef " * 60) for number in range(40)]
    text = everywhere_text(await answered(finds("archive", *many), limit=40, max_chars=2_000))
    assert 'Shortened; for more: detail="full", max_chars, archive_get_document' in text
