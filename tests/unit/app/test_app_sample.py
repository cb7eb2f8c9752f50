import re
from pathlib import Path

import app.sample
from app.sample import sample_documents

FOLDER = Path(app.sample.__file__).parent


def test_the_sample_is_a_dozen_documents_with_a_title_and_metadata() -> None:
    documents = sample_documents()
    assert len(documents) == 12
    for document in documents:
        metadata = document["metadata"]
        assert document["content"].startswith(f"# {metadata['title']}\n")
        assert isinstance(metadata["year"], int)
        assert metadata["date"].startswith(str(metadata["year"]))
        assert metadata["author"]
        assert metadata["tags"]


def test_every_link_in_the_sample_leads_to_another_document_of_it() -> None:
    names = {f"{document['doc_id']}.md" for document in sample_documents()}
    for document in sample_documents():
        targets = re.findall(r"\]\(([^)]+)\)", document["content"])
        assert set(targets) <= names - {f"{document['doc_id']}.md"}
        assert targets or document["doc_id"] == "tokenising"
