import pytest

from indexer.archives.parsed import ParsedDocument
from workers.parsers.failures import ParseError
from workers.parsers.html.page import parse

PAGE = """<!DOCTYPE html>
<html lang="en-GB">
<head><title>The  page</title><script>var a = "<p>no</p>"</script><style>p {}</style></head>
<body>
<header>Site header</header><nav><a href="/">Home</a></nav>
<main>
<header><h1>The heading</h1></header>
<p>First <b>bold</b> text with
   a <a href="other.html">link</a>.</p>
<h2>Part two</h2>
<ul><li>one</li><li>two</li></ul>
<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>
<pre>
  kept   as is
</pre>
<p>line<br>break</p>
<aside>Aside</aside><form>Form</form><footer>Foot</footer>
<p hidden>Hidden</p>
</main>
<footer>Site footer</footer>
</body></html>"""


def read(source: str) -> ParsedDocument:
    return parse(source.encode())


def body(source: str) -> ParsedDocument:
    return read(f"<html><body>{source}</body></html>")


def head(source: str) -> ParsedDocument:
    return read(f"<html><head>{source}</head><body><p>Text</p></body></html>")


def test_the_main_text_comes_without_the_furniture() -> None:
    assert read(PAGE).text == (
        "The heading\n\nFirst bold text with a link.\n\nPart two\n\none\ntwo\n\na | b\n1 | 2"
        "\n\n  kept   as is\n\nline\nbreak"
    )


def test_blocks_know_their_heading_and_line() -> None:
    document = read(PAGE)
    found = {document.text[place.start :][:5]: (place.heading, place.line) for place in document.places}

    assert found["First"] == ("The heading", 8)
    assert found["two\n\n"] == ("Part two", 11)


def test_anchors_are_links_at_their_text() -> None:
    document = read(PAGE)

    assert [(link.target, document.text[link.start :][:4]) for link in document.links] == [("other.html", "link")]


def test_an_anchor_around_blocks_is_one_link() -> None:
    document = body('<p>Before</p><a href="a.html"><div>Card title</div><div>Card text</div></a>')

    assert document.text == "Before\n\nCard title\n\nCard text"
    assert [(link.target, link.start) for link in document.links] == [("a.html", 8)]


def test_a_base_completes_relative_links() -> None:
    document = read('<head><base href="https://example.org/x/"></head><p><a href="y.html">y</a></p>')

    assert [link.target for link in document.links] == ["https://example.org/x/y.html"]


def test_without_a_main_part_the_body_is_taken() -> None:
    assert body("<header>Logo</header><div>Text <nav>menu</nav>more</div><footer>f</footer>").text == "Text more"


@pytest.mark.parametrize(
    "source",
    [
        '<div>Outside</div><div role="main">Inside</div>',
        "<div>Outside</div><article>Inside</article>",
        "<div>Outside</div><main>Inside</main><article>Other</article>",
    ],
)
def test_the_main_part_is_found_by_element_or_role(source: str) -> None:
    assert body(source).text == "Inside"


def test_a_page_that_is_one_form_is_read_all_the_same() -> None:
    assert body("<form><p>All of it</p></form>").text == "All of it"


@pytest.mark.parametrize(
    ("source", "title"),
    [
        ('<title>A</title><meta property="og:title" content="B">', "A"),
        ('<meta property="og:title" content="B">', "B"),
        ("", "H"),
    ],
)
def test_the_title_comes_from_the_best_place(source: str, title: str) -> None:
    assert read(f"<html><head>{source}</head><body><h2>x</h2><h1>H</h1></body></html>").title == title


@pytest.mark.parametrize(
    ("source", "date"),
    [
        ('<meta property="article:published_time" content="2025-05-20T10:00:00Z">', "2025-05-20T10:00:00Z"),
        ('<meta name="citation_publication_date" content="2025/05/20">', "2025-05-20"),
        ('<meta name="DC.date" content="2025-05-20">', "2025-05-20"),
        ('<script type="application/ld+json">{"@graph": [{"datePublished": "2025-05-20"}]}</script>', "2025-05-20"),
        ('<script type="application/ld+json">{broken</script>', None),
        ("", None),
    ],
)
def test_dates_come_from_meta_elements_and_linked_data(source: str, date: str | None) -> None:
    assert head(source).date == date


def test_a_time_element_dates_the_page() -> None:
    assert body('<p>On <time datetime="2025-05-20">Tuesday</time></p>').date == "2025-05-20"


def test_a_scholarly_page_describes_itself() -> None:
    document = head(
        '<meta name="citation_author" content="Lovelace, Ada"><meta name="citation_author" content="Babbage, C.">'
        '<meta name="citation_doi" content="doi:10.1000/ABC"><meta name="keywords" content="a, b">'
        '<link rel="canonical" href="https://example.org/paper">'
    )

    assert document.authors == ("Lovelace, Ada", "Babbage, C.")
    assert (document.doi, document.tags, document.canonical_url) == (
        "10.1000/abc",
        ("a", "b"),
        "https://example.org/paper",
    )


def test_authors_of_linked_data_are_taken_by_name() -> None:
    data = '{"@type": "Article", "author": [{"name": "Ada"}, {"name": "Bob"}]}'

    assert head(f'<script type="application/ld+json">{data}</script>').authors == ("Ada", "Bob")


def test_the_declared_language_is_taken() -> None:
    assert read(PAGE).language == "en"


@pytest.mark.parametrize(
    "data",
    [
        '<meta charset="iso-8859-1"><p>Größe'.encode("latin-1"),
        '<meta http-equiv="Content-Type" content="text/html; charset=windows-1252"><p>Größe'.encode("cp1252"),
        '<meta charset="iso-8859-1"><p>Größe'.encode(),
        '<meta charset="no-such-thing"><p>Größe'.encode("latin-1"),
        "<p>Größe".encode("utf-16"),
        "<p>Gr\0öße".encode(),
        '<?xml version="1.0" encoding="iso-8859-1"?><html><p>Größe</p></html>'.encode("latin-1"),
    ],
)
def test_encodings_are_taken_as_they_are_and_not_as_they_are_declared(data: bytes) -> None:
    assert parse(data).text == "Größe"


def test_entities_are_decoded_and_hidden_characters_removed() -> None:
    assert body("<p>a&nbsp;&amp;&#8203;b&shy;c &lt;p&gt;</p>").text == "a\u00a0&bc <p>"


@pytest.mark.parametrize("source", ["<html></html>", "<!-- x -->", "<script>x</script>"])
def test_a_page_without_text_is_refused(source: str) -> None:
    with pytest.raises(ParseError, match="holds no text"):
        read(source)
