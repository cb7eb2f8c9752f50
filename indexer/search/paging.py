"""Reads one page of a search and decides where the next one starts.

Sorted by field, a page starts after the sort values of the last hit. Sorted by score, there are three cases:

- The first page is a plain search. Most searches end here, and a caller keeps only some point-in-time views open
  (`indexer/open_views.py`).
- A later page that is probably the last is a plain search too. It reads from the start and skips the hits already
  returned, whose digests the cursor carries.
- Every other page is read from a point-in-time view, so that concurrent writes neither repeat nor skip a hit. The
  cursor carries the view and a position in it; the first such page also skips the hits already returned.

The caller may return only the first hits of a page, to fit `max_chars`. The next page then starts with the others.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from indexer.engines.counts import FacetValue
from indexer.engines.port import Hit, SearchRequest, Target
from indexer.errors import ExpiredView, MissingIndex
from indexer.index.index import Snapshot
from indexer.open_views import CallerViews
from indexer.search.page_cursor import PageCursor
from indexer.shown import shown_digest

_MAX_SHOWN: Final = 100
"""How many digests of hits a cursor carries."""


@dataclass(frozen=True, slots=True)
class Page:
    """One page of hits, as the engine returned them."""

    hits: list[Hit]
    facets: dict[str, list[FacetValue]]
    start: PageCursor
    """The state of the search at the start of this page."""
    fetched: list[Hit]
    """What the engine returned: also hits that earlier pages had, and one that the next page begins with."""
    has_more: bool
    """Whether more hits follow."""
    by_field: bool

    def cursor_after(self, returned: int) -> PageCursor | None:
        """Return the cursor after the first `returned` hits of this page; None if no hit is left."""
        start, hits = self.start, self.hits
        if returned == 0 or (returned == len(hits) and not self.has_more):
            return None
        last = hits[returned - 1]
        if self.by_field:
            return replace(start, position=last.position)
        if start.view is None:
            return replace(start, shown=start.shown.union(_digest(hit) for hit in hits[:returned]))
        return replace(start, position=last.position, shown=start.shown.difference(_digests_up_to(last, self.fetched)))


async def read_page(
    views: CallerViews,
    snapshot: Snapshot,
    target: Target,
    request: SearchRequest,
    cursor: PageCursor | None,
    *,
    may_be_cut: bool,
) -> Page:
    """Read the page after the cursor, or the first page; `target` is the snapshot's.

    `may_be_cut` says whether the caller may return fewer hits than the page has.
    """
    if cursor is not None and cursor.view is not None:
        return await _read_in_view(views, snapshot, cursor.view, request, cursor)
    start = None if cursor is None else replace(cursor, generation=snapshot.generation)
    if cursor is None or request.sort or cursor.total - len(cursor.shown) <= request.size:
        page = await _read_after(snapshot, target, request, start)
        if not _needs_view(page, is_first=cursor is None, may_be_cut=may_be_cut):
            return page
    return await _read_after(snapshot, target, replace(request, view=await views.open(target)), start)


def _needs_view(page: Page, *, is_first: bool, may_be_cut: bool) -> bool:
    """Say whether the next page must be read from a view, which then has to hold this one too."""
    if page.by_field:
        return False
    if len(page.start.shown) + len(page.hits) > _MAX_SHOWN:
        return page.has_more or may_be_cut
    return page.has_more and not is_first


async def _read_in_view(
    views: CallerViews, snapshot: Snapshot, view: str, request: SearchRequest, cursor: PageCursor
) -> Page:
    """Read from the cursor's view, in the generation that the view belongs to."""
    target = snapshot.earlier_target(cursor.generation)
    if target is None:
        raise ExpiredView
    try:
        page = await _read_after(snapshot, target, replace(request, view=view), cursor)
    except MissingIndex:
        raise ExpiredView from None
    await views.note_use(view)
    return page


async def _read_after(snapshot: Snapshot, target: Target, request: SearchRequest, cursor: PageCursor | None) -> Page:
    """Read the hits after the cursor, in the request's view if it has one."""
    shown = cursor.shown if cursor else frozenset[bytes]()
    is_first_by_score = cursor is None and not request.sort
    # One extra hit shows whether another page follows; on the first page by score, the total does.
    size = request.size if is_first_by_score else request.size + len(shown) + 1
    after = cursor.position if cursor else None
    response = await snapshot.reader.search(target, replace(request, size=size, after=after))
    new = [hit for hit in response.hits if _digest(hit) not in shown] if shown else response.hits
    best = response.hits[0].score if response.hits else None
    start = cursor or PageCursor(response.total, snapshot.generation, best=best)
    return Page(
        hits=new[: request.size],
        facets=response.facets,
        start=replace(start, view=request.view),
        fetched=response.hits,
        has_more=response.total > request.size if is_first_by_score else len(new) > request.size,
        by_field=bool(request.sort),
    )


def _digests_up_to(last: Hit, fetched: list[Hit]) -> Iterator[bytes]:
    for hit in fetched:
        yield _digest(hit)
        if hit.id == last.id:
            return


def _digest(hit: Hit) -> bytes:
    return shown_digest(hit.id.encode())
