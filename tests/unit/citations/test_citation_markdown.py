"""References as Markdown: one line, and whatever a document says, one link at most."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from indexer.archives.citations.cite import markdown
from tests.unit.citations.test_citation_cite import fields

PAGE = "https://example.com/nets"
RENDERER = MarkdownIt("commonmark").enable(["table", "strikethrough"])
HOSTILE = [
    "a](javascript:alert(1))",
    "<img src=x onerror=alert(1)>",
    "![x](https://evil.example/pixel.png)",
    "<https://evil.example>",
    "# Heading",
    "1984. A novel",
    "7) steps",
    "- item",
    "+ item",
    "===",
    "---",
    "~~~",
    "```",
    "> quoted",
    "*** | a | b |",
    "`code` *bold* _thin_ ~~gone~~",
    "&lt;script&gt; &#106;",
    "ends with a backslash \\",
    "[ref]: https://evil.example",
    "two\n\nparagraphs\u2028and a line",
    "    indented",
]


def inline_tokens(text: str) -> list[Token]:
    """Parse one line; it must be a paragraph, and nothing else."""
    opened, inline, closed = RENDERER.parse(text)
    assert (opened.type, inline.type, closed.type) == ("paragraph_open", "inline", "paragraph_close")
    return inline.children or []


def read(text: str) -> str:
    return "".join(token.content for token in inline_tokens(text))


def links(text: str) -> list[Any]:
    return [token.attrs["href"] for token in inline_tokens(text) if token.type == "link_open"]


def test_a_reference_names_title_authors_and_date() -> None:
    document = fields(title="Nets & ropes", url=PAGE, authors=["Ada Lovelace", "Bo"], date="2021-03-04T10:00:00")

    assert markdown(document) == rf"[Nets \& ropes]({PAGE}) — Ada Lovelace, Bo, 2021-03-04"


@pytest.mark.parametrize(
    ("known", "text"),
    [
        ({}, "Nets"),
        ({"url": PAGE}, f"[Nets]({PAGE})"),
        ({"authors": ["Ada"]}, "Nets — Ada"),
        ({"date": "2021"}, "Nets — 2021"),
        ({"date": "last spring"}, "Nets"),
        ({"authors": ["Lovelace, Ada", "Bo"], "date": "2021-03"}, "Nets — Lovelace, Ada; Bo, 2021-03"),
        ({"doi": "10.1/a(b)#c"}, "[Nets](https://doi.org/10.1/a%28b%29%23c)"),
        ({"url": PAGE, "doi": "10.1/x"}, f"[Nets]({PAGE})"),
        ({"title": ""}, "root/a.md"),
    ],
)
def test_what_is_not_known_is_left_out(known: dict[str, object], text: str) -> None:
    assert markdown(fields(**{"title": "Nets", **known})) == text


@pytest.mark.parametrize(
    "url", ["javascript:alert(1)", "data:text/html,x", "//evil.example", "file:///etc", "https://"]
)
def test_only_addresses_of_the_web_are_linked(url: str) -> None:
    assert markdown(fields(title="Nets", url=url)) == "Nets"


@pytest.mark.parametrize(
    "url",
    [
        "https://example.com/a)b](javascript:alert(1))",
        "https://example.com/a b\nc",
        'https://example.com/?q="x"&lt;=<script>',
        "https://example.com/\\`*_ü",
    ],
)
def test_an_address_cannot_leave_its_link(url: str) -> None:
    text = markdown(fields(title="Nets", url=url, date="2021"))

    [address] = links(text)
    assert address.startswith("https://example.com/")
    assert read(text) == "Nets — 2021"


@pytest.mark.parametrize("title", HOSTILE)
@pytest.mark.parametrize("url", [PAGE, None])
def test_a_hostile_title_is_only_text(title: str, url: str | None) -> None:
    text = markdown(fields(title=title, url=url, authors=[title], date="2021"))

    shown = " ".join(title.split())
    assert links(text) == ([url] if url else [])
    assert {token.type for token in inline_tokens(text)} <= {"text", "text_special", "link_open", "link_close"}
    assert read(text) == f"{shown} — {shown}, 2021"


@given(st.text(alphabet=st.sampled_from("ab1 \\`*_{}[]()<>#+-.!|~&;$=:/\n\t"), min_size=1, max_size=30), st.booleans())
def test_no_title_is_anything_but_text(title: str, has_address: bool) -> None:
    shown = " ".join(title.split())
    if not shown:
        return

    text = markdown(fields(title=title, url=PAGE if has_address else None))

    assert read(text) == shown
    assert len(links(text)) == has_address
