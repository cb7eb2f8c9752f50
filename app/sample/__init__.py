"""A small sample: notes as Markdown files with front matter, about nets, oceans and search engines."""

import asyncio
from io import BytesIO
from pathlib import Path
from typing import Any, Final

import yaml

from app.uploads import Uploads
from indexer.archive_arguments import ListArchive
from indexer.archives.documents import list_archive
from indexer.arguments import AddDocuments, GetDocument
from indexer.documents import add_documents, get_document
from indexer.errors import NotFound
from indexer.library import Library
from indexer.tenancy import DEFAULT_INDEX, MAIN

_FOLDER: Final = Path(__file__).parent
_ROOT: Final = "sample"
_FENCE: Final = "---\n"


def sample_documents() -> list[dict[str, Any]]:
    """Return the notes as documents, by name."""
    return [_document(path) for path in sorted(_FOLDER.glob("*.md"))]


async def add_sample(library: Library, uploads: Uploads) -> None:
    """Put the notes into the default index and, by a job, into the archive, unless they are there."""
    await _add_to_index(library)
    await _add_to_archive(library, uploads)


async def _add_to_archive(library: Library, uploads: Uploads) -> None:
    notes = sorted(_FOLDER.glob("*.md"))
    there = await list_archive(library, MAIN, ListArchive(filters={"path": {"prefix": f"{_ROOT}/"}}, limit=1))
    if there["total"] < len(notes):
        files = [(path.name, BytesIO(path.read_bytes())) for path in notes]
        await asyncio.to_thread(uploads.take, MAIN, files, root=_ROOT)


async def _add_to_index(library: Library) -> None:
    missing = [document for document in sample_documents() if not await _is_there(library, document["doc_id"])]
    if missing:
        await add_documents(library, MAIN, AddDocuments(documents=missing, index_name=DEFAULT_INDEX))


async def _is_there(library: Library, doc_id: str) -> bool:
    try:
        await get_document(library, MAIN, GetDocument(doc_id=doc_id, index_name=DEFAULT_INDEX))
    except NotFound:
        return False
    return True


def _document(path: Path) -> dict[str, Any]:
    _, front_matter, text = path.read_text(encoding="utf-8").split(_FENCE, 2)
    return {"doc_id": path.stem, "content": text.strip(), "metadata": yaml.safe_load(front_matter)}
