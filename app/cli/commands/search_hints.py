"""What to try where a search found nothing: other indices that hold documents, or what to ingest."""

from collections.abc import Iterator

from app.cli.commands.index_option import ARCHIVE, is_archive
from app.cli.commands.units import counted
from app.cli.connection import call_operations


def nothing_found_hints(index_name: str) -> Iterator[str]:
    """Yield sentences about where documents are; none where the service does not tell."""
    listed, archived = call_operations([("search_list_indices", {}), ("archive_list", {"limit": 1})])
    if not (listed["success"] and archived["success"]):
        return
    documents = {ARCHIVE: archived["total"]} | {each["index_name"]: each["documents"] for each in listed["indices"]}
    searched = index_name.lower()
    if not any(documents.values()):
        yield "There are no documents yet: `trawl ingest PATH` adds files, folders and web pages to the archive."
        return
    if not documents.get(searched):
        what = "The archive is empty" if is_archive(searched) else f"The index {searched} is empty"
        yield f"{what}: `trawl ingest PATH` adds files." if is_archive(searched) else f"{what}."
    for name, count in documents.items():
        if count and name != searched:
            where = "the archive" if name == ARCHIVE else f"the index {name}"
            yield f"Not searched: {where}, with {counted(count, 'document', 'documents')} (--index {name})."
