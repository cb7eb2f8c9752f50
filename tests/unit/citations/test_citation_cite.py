from indexer.archives.citations.cite import bibtex, csl_json
from indexer.archives.stored import StoredFields
from indexer.tenancy import DocumentId

ID = DocumentId("d_1")


def fields(**given: object) -> StoredFields:
    empty = {
        "title": "",
        "path": "root/a.md",
        "source": "research",
        "date": None,
        "authors": [],
        "tags": [],
        "language": None,
        "url": None,
        "doi": None,
        "places": [],
        "keys": [],
        "cites": [],
        "root": "root",
        "version": "",
        "ingested_at": "",
    }
    return StoredFields(**{**empty, **given})  # type: ignore[typeddict-item]


def test_special_characters_are_escaped_in_bibtex() -> None:
    text = bibtex(ID, fields(title="50% of {nets} & \\ropes_#1 ~^$", authors=["O'Brien & Co"]))

    assert r"title = {50\% of \{nets\} \& \textbackslash{}ropes\_\#1 \textasciitilde{}\textasciicircum{}\$}" in text
    assert r"author = {O'Brien \& Co}" in text


def test_a_document_without_anything_still_has_a_reference() -> None:
    assert bibtex(ID, fields()) == "@misc{d_1,\n  note = {root/a.md},\n}"
    assert csl_json(ID, fields()) == {"id": "d_1", "type": "document", "title": ""}


def test_a_doi_makes_an_article_and_a_date_may_be_only_a_year() -> None:
    article = fields(title="Deep water", doi="10.1/x", date="2020", authors=["Van Dam, Jo"], language="en")

    assert bibtex(ID, article).startswith("@article{vandam2020deep,")
    assert csl_json(ID, article) == {
        "id": "d_1",
        "type": "article-journal",
        "title": "Deep water",
        "author": [{"family": "Van Dam", "given": "Jo"}],
        "issued": {"date-parts": [[2020]]},
        "DOI": "10.1/x",
        "language": "en",
    }


def test_a_line_break_in_a_title_cannot_start_another_field() -> None:
    assert "\n" not in bibtex(ID, fields(title="one\n},\n@evil{")).split("title = ")[1].split("},")[0]
