import pytest

from indexer.archives.parsed import Link, ParsedDocument, Place
from workers.parsers.failures import ParseError
from workers.parsers.markdown.blocks import parse


def read(source: str) -> ParsedDocument:
    return parse(source.encode())


def targets(source: str) -> list[tuple[str, str]]:
    return [(link.target, link.kind) for link in read(source).links]


def test_the_text_is_what_a_reader_sees() -> None:
    document = read("# A *title*\n\nSome **bold**, ~~old~~ and `code_here` &amp; \\*stars\\*.\n\n> A quote\n")

    assert document.text == "A title\n\nSome bold, old and code_here & *stars*.\n\nA quote"
    assert document.title == "A title"


def test_code_is_kept_as_written() -> None:
    document = read("Before\n\n```python\n    def f(*args):\n\n        return 1\n```\n\n    indented = True\n")

    assert document.text == "Before\n\n    def f(*args):\n\n        return 1\n\nindented = True"


def test_items_and_rows_stand_close_together() -> None:
    document = read("Intro\n\n- one\n- two\n  - inner\n\nAfter\n\n| a | b |\n|---|---|\n| 1 | 2 |\n")

    assert document.text == "Intro\n\none\ntwo\ninner\n\nAfter\n\na | b\n1 | 2"


def test_each_block_knows_its_heading_and_its_line() -> None:
    document = read("---\ntitle: T\n---\nTop\n\n# One\n\nText\nof two lines\n\n## Two\n\n- item\n\n```\ncode\n```\n")

    assert document.places == (
        Place(0, None, None, 4),
        Place(5, None, "One", 6),
        Place(10, None, "One", 8),
        Place(29, None, "Two", 11),
        Place(34, None, "Two", 13),
        Place(40, None, "Two", 16),
    )
    assert document.text[10:27] == "Text\nof two lines"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("[a](b.md)", [("b.md", "link")]),
        ("[a](<my file.md> 'title')", [("my file.md", "link")]),
        ("[a](../x/y.md#part)", [("../x/y.md#part", "link")]),
        ("[a](caf%C3%A9.md)", [("caf%C3%A9.md", "link")]),
        ("[a](café.md)", [("café.md", "link")]),
        ("[a][r], [r][] and [r]\n\n[r]: https://example.org/r", [("https://example.org/r", "link")] * 3),
        ("<https://example.org/auto>", [("https://example.org/auto", "link")]),
        ("at https://example.org/bare_one.", [("https://example.org/bare_one", "link")]),
        ("at www.example.org/bare", [("https://www.example.org/bare", "link")]),
        ('Inline <a href="in.html?a=1&amp;b=2">HTML</a>.', [("in.html?a=1&b=2", "link")]),
        ("<div>\n<p><a class='x' href='block.html'>HTML</a></p>\n</div>", [("block.html", "link")]),
        ("[[Other page]]", [("Other page", "wiki")]),
        ("[[Other page#Part|shown]]", [("Other page", "wiki")]),
        ("![[Embedded note]]", [("Embedded note", "wiki")]),
        ("note[^1]\n\n[^1]: See [it](it.md).", [("it.md", "link")]),
        ("note^[inline, see [it](it.md)].", [("it.md", "link")]),
        ("[doi](doi:10.1000/ABC)", [("10.1000/abc", "doi")]),
        ("[paper](https://doi.org/10.1000/abc)", [("https://doi.org/10.1000/abc", "link")]),
        ("Known as 10.1000/ABC, or arXiv:2101.00001v3", [("10.1000/abc", "doi"), ("2101.00001", "arxiv")]),
        ("`10.1000/abc` in code", [("10.1000/abc", "doi")]),
        ("[![build](badge.svg)](https://ci.example.org)", [("https://ci.example.org", "link")]),
        ("| a |\n|---|\n| [cell](cell.md) |", [("cell.md", "link")]),
    ],
)
def test_links_are_found(source: str, expected: list[tuple[str, str]]) -> None:
    assert targets(source) == expected


@pytest.mark.parametrize(
    "source",
    [
        "![picture](picture.png)",
        "![[picture.png]]",
        "[here](#below)",
        "[mail](mailto:a@example.org)",
        "[x](javascript:alert(1))",
        "[x](data:text/html,x)",
        "[x](file:///etc/passwd)",
        "<xref:System.String>",
        "`[code](code.md)` and `[[code]]`",
        "```\nhttps://example.org/code\n[a](b.md)\n```",
        "[[#Only a part]]",
    ],
)
def test_what_points_at_no_document_is_no_link(source: str) -> None:
    assert targets(source) == []


def test_a_link_starts_where_its_text_does() -> None:
    document = read("# H\n\nSome *long* words, then [the link](b.md) and 10.1000/x.\n")

    assert [document.text[link.start :][:8] for link in document.links] == ["the link", "10.1000/"]


def test_a_link_in_a_cell_or_a_footnote_starts_there_too() -> None:
    document = read("|a|b|\n|-|-|\n|xx|[cell](c.md)|\n\nNote[^n]\n\n[^n]: The [source](s.md)\n")

    assert [document.text[link.start :][:4] for link in document.links] == ["cell", "sour"]
    assert "[n] The source" in document.text


@pytest.mark.parametrize(
    ("source", "title"),
    [
        ("---\ntitle: Front\n---\n# Heading", "Front"),
        ("## Second\n\n# First\n\n# Another", "First"),
        ("### Third\n\n## Second", "Third"),
        ("Setext\n======\n", "Setext"),
        ("no heading", ""),
    ],
)
def test_the_title_comes_from_the_best_place(source: str, title: str) -> None:
    assert read(source).title == title


def test_a_page_of_front_matter_alone_is_found_by_its_title() -> None:
    assert read("---\ntitle: A stub\n---\n").text == "A stub"


@pytest.mark.parametrize("source", ["---\nauthor: x\n---\n", "<!-- only a comment -->", "[r]: https://example.org"])
def test_a_file_without_text_is_refused(source: str) -> None:
    with pytest.raises(ParseError, match="holds no text"):
        read(source)


def test_hidden_characters_are_gone_and_offsets_still_fit() -> None:
    document = read("a\u200bb\u202e \r\ne\u0301 &#8203;&#x301;[li\u00adnk](x.md) https://example.org/\u200by\n")

    assert document.text == "ab\né \u0301link https://example.org/y"
    assert document.links == (
        Link("x.md", "link", document.text.index("link")),
        Link("https://example.org/y", "link", document.text.index("https")),
    )


def test_html_inside_is_reduced_to_its_text() -> None:
    document = read(
        "<details>\n<summary>More</summary>\nText &lt;here&gt;<script>var x</script>\n</details>\n\na<br/>b<sub>2</sub>"
    )

    assert document.text == "More\nText <here>\n\na\nb2"
