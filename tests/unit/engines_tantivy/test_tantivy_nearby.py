from tantivy import Document, Searcher

from indexer.engines.counts import WordCount
from indexer.engines.tantivy.schema import EXACT, ID, TEXT, IndexHandle, open_or_create_index
from indexer.engines.tantivy.search.nearby import find_nearby_words
from indexer.schema.definition import IndexDefinition


def indexed(*texts: str, deleted: tuple[str, ...] = ()) -> tuple[IndexHandle, Searcher]:
    """Index each text as a document of its own, named by its position, and delete some."""
    handle = open_or_create_index(IndexDefinition("local", 1), None)
    writer = handle.index.writer(15_000_000, 1)
    for number, text in enumerate(texts):
        writer.add_document(Document(**{ID: [str(number)], TEXT: [text], EXACT: [text]}))
    writer.commit()
    for identity in deleted:
        writer.delete_documents_by_term(ID, identity)
    writer.commit()
    handle.index.reload()
    return handle, handle.index.searcher()


def test_words_of_deleted_documents_are_no_longer_known() -> None:
    handle, searcher = indexed("harbuor", "harbour", "harboor", deleted=("0", "2"))
    assert find_nearby_words(handle, searcher, ["harbuor"], lambda: None) == {"harbuor": [WordCount("harbour", 1)]}


def test_words_with_any_letters_are_found_in_documents() -> None:
    handle, searcher = indexed("harb\u00f8ur", "harbour", "harb8ur", "harbour")
    found = find_nearby_words(handle, searcher, ["harbaur"], lambda: None)["harbaur"]
    assert {(near.word, near.documents) for near in found} == {("harb\u00f8ur", 1), ("harbour", 2), ("harb8ur", 1)}


def test_words_with_two_edits_are_looked_for_only_if_none_has_one() -> None:
    handle, searcher = indexed("lighthouse", "lightxouse")
    assert find_nearby_words(handle, searcher, ["lihgthouse"], lambda: None)["lihgthouse"] == [
        WordCount("lighthouse", 1)
    ]
    found = find_nearby_words(handle, searcher, ["lihgthuose"], lambda: None)["lihgthuose"]
    assert [near.word for near in found] == ["lighthouse"]
