"""Sample documents for `trawl serve --demo`: Markdown notes with front matter."""

from io import BytesIO
from pathlib import Path
from typing import Any, Final

import yaml

from app.principals import LOCAL
from indexer.archives.arguments import ListArchive
from indexer.archives.documents import list_archive
from indexer.errors import NotFound
from indexer.local.arguments import GetDocument
from indexer.local.documents import get_document
from mcp_server.features.archives.upload import UPLOAD
from mcp_server.features.local.operations import ADD_SEVERAL
from mcp_server.run import run
from mcp_server.services import Services

_FOLDER: Final = Path(__file__).parent
_ROOT: Final = "sample"
_FENCE: Final = "---\n"


def sample_documents() -> list[dict[str, Any]]:
    """Return the notes as documents, sorted by file name."""
    return [_read_document(path) for path in sorted(_FOLDER.glob("*.md"))]


async def add_sample(services: Services) -> None:
    """Add missing notes to the default index and, through an ingest job, to the archive."""
    await _add_to_index(services)
    await _add_to_archive(services)


async def _add_to_archive(services: Services) -> None:
    notes = sorted(_FOLDER.glob("*.md"))
    request = ListArchive(filters={"path": {"prefix": f"{_ROOT}/"}}, limit=1)
    if (await list_archive(services.library, LOCAL, request))["total"] < len(notes):
        files = [(path.name, BytesIO(path.read_bytes())) for path in notes]
        await run(UPLOAD, services, LOCAL, {"files": files, "root": _ROOT})


async def _add_to_index(services: Services) -> None:
    missing = [document for document in sample_documents() if not await _exists(services, document["doc_id"])]
    if missing:
        await run(ADD_SEVERAL, services, LOCAL, {"documents": missing})


async def _exists(services: Services, doc_id: str) -> bool:
    try:
        await get_document(services.library, LOCAL, GetDocument(doc_id=doc_id))
    except NotFound:
        return False
    return True


def _read_document(path: Path) -> dict[str, Any]:
    _, front_matter, text = path.read_text(encoding="utf-8").split(_FENCE, 2)
    return {"doc_id": path.stem, "content": text.strip(), "metadata": yaml.safe_load(front_matter)}
