"""What every client does: list the tools, search, read on to the last page, and fail in a way that it can act on."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

QUERY: Final = "herring"
PAGE: Final = 2
DOCUMENTS: Final = [{"doc_id": f"d{number}", "content": f"A herring in net {number}"} for number in range(5)]
UNKNOWN: Final = "no_such_index"

CallTool = Callable[[str, dict[str, Any]], Awaitable[dict[str, Any]]]


@dataclass(frozen=True, slots=True)
class Journey:
    """What a client was told: the names of the tools, each page of the search, and the failure."""

    tools: list[str]
    pages: list[Mapping[str, Any]] = field(default_factory=list)
    failure: Mapping[str, Any] = field(default_factory=dict)


def search_arguments(index: str, cursor: str | None = None) -> dict[str, Any]:
    return {"query": QUERY, "k": PAGE, "index_name": index} | ({} if cursor is None else {"cursor": cursor})


async def travel(tools: list[str], call_tool: CallTool, index: str) -> Journey:
    """Search, read on and fail with a client of Python."""
    pages = [await call_tool("search_index", search_arguments(index))]
    while (cursor := pages[-1]["next_cursor"]) is not None:
        pages.append(await call_tool("search_index", search_arguments(index, cursor)))
    return Journey(tools, pages, await call_tool("search_index", search_arguments(UNKNOWN)))


def assert_complete(journey: Journey) -> None:
    """Check that a client found each document once, and was told why the unknown index failed."""
    assert {"search_index", "search_add_document", "search_list_indices"} <= {*journey.tools}
    assert [len(page["results"]) for page in journey.pages] == [2, 2, 1]
    assert all(page["success"] is True and page["total_matches"] == 5 for page in journey.pages)
    found = [hit["doc_id"] for page in journey.pages for hit in page["results"]]
    assert sorted(found) == [document["doc_id"] for document in DOCUMENTS]
    failure = journey.failure
    assert (failure["success"], failure["error_category"]) == (False, "not_found")
    assert failure["error"] == f"Index not found: {UNKNOWN}"
    assert failure["fix"]["required_action"]
