"""The open views of this process, by caller: nobody's searches make the cursors of others expire.

An open view holds files (tantivy) or a search context (OpenSearch), of which a node has 300 by default. So a caller
keeps some views, and one more closes the least recently used of its own. All callers together keep more, and one beyond
that closes a view of the caller with the most.

The engine closes idle views by itself; they are only forgotten here. Several processes on one cluster count each for
itself, since a cursor may be read by another process than the one that opened its view.
"""

import time
from collections import Counter, OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from indexer.engines.port import VIEW_IDLE_SECONDS, Reader, Target
from indexer.tenancy import Principal

MAX_VIEWS_OF_CALLER: Final = 20
MAX_VIEWS: Final = 200


@dataclass(frozen=True, slots=True)
class CallerKey:
    """Who is counted as one caller: in a team a credential with the tokens that it made for itself, or a subject."""

    team: str
    credential: str


def caller_key(principal: Principal) -> CallerKey:
    """Return the caller that a principal counts as."""
    return CallerKey(principal.team, principal.owner or principal.credential or principal.subject)


@dataclass(frozen=True, slots=True)
class _OpenView:
    caller: CallerKey
    last_used: float


class OpenViews:
    """Opens views for callers, and closes those beyond the limits. Used on the event loop."""

    def __init__(
        self,
        reader: Reader,
        *,
        max_of_caller: int = MAX_VIEWS_OF_CALLER,
        max_views: int = MAX_VIEWS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._reader = reader
        self._max_of_caller = max_of_caller
        self._max_views = max_views
        self._clock = clock
        self._views: OrderedDict[str, _OpenView] = OrderedDict()
        """Least recently used first."""

    async def open(self, caller: CallerKey, target: Target) -> str:
        """Open a view of an index."""
        view = await self._reader.open_view(target)
        await self.note_use(caller, view)
        return view

    async def note_use(self, caller: CallerKey, view: str) -> None:
        """Note that a caller has read from a view; another process may have opened it."""
        now = self._clock()
        self._views[view] = _OpenView(caller, now)
        self._views.move_to_end(view)
        self._forget_idle(now)
        while (surplus := self._take_surplus(caller)) is not None:
            await self._reader.close_view(surplus)

    def _take_surplus(self, caller: CallerKey) -> str | None:
        """Take out the view that goes next, if there are too many."""
        counts = Counter(view.caller for view in self._views.values())
        if counts[caller] > self._max_of_caller:
            loser = caller
        elif len(self._views) > self._max_views:
            loser = max(counts, key=counts.__getitem__)  # of several, the one that used its view least recently
        else:
            return None
        oldest = next(name for name, view in self._views.items() if view.caller == loser)
        del self._views[oldest]
        return oldest

    def _forget_idle(self, now: float) -> None:
        while self._views:
            name, view = next(iter(self._views.items()))
            if view.last_used > now - VIEW_IDLE_SECONDS:
                return
            del self._views[name]


@dataclass(frozen=True, slots=True)
class CallerViews:
    """The open views of one caller."""

    views: OpenViews
    caller: CallerKey

    async def open(self, target: Target) -> str:
        """Open a view of an index."""
        return await self.views.open(self.caller, target)

    async def note_use(self, view: str) -> None:
        """Note that the caller has read from a view."""
        await self.views.note_use(self.caller, view)
