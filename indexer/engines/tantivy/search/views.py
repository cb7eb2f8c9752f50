"""Views: searchers kept in memory for pages by score. They expire after some minutes without use."""

import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from tantivy import Searcher

from indexer.errors import ExpiredView
from indexer.tenancy import PhysicalName

IDLE_SECONDS: Final = 300.0
"""A view expires after this time without use."""
MAX_VIEWS: Final = 200
"""A new view beyond this number evicts the least recently used one."""


@dataclass(slots=True)
class _View:
    physical: PhysicalName
    searcher: Searcher
    last_used: float


class Views:
    """The views of this process, least recently used first; thread-safe."""

    def __init__(self, clock: Callable[[], float] = time.monotonic, max_views: int = MAX_VIEWS) -> None:
        self._clock = clock
        self._max_views = max_views
        self._views: OrderedDict[str, _View] = OrderedDict()
        self._lock = threading.Lock()

    def add(self, physical: PhysicalName, searcher: Searcher) -> str:
        """Keep this searcher and return the name of its view."""
        name = secrets.token_urlsafe(12)
        with self._lock:
            self._remove_idle()
            while len(self._views) >= self._max_views:
                self._views.popitem(last=False)
            self._views[name] = _View(physical, searcher, self._clock())
        return name

    def searcher(self, name: str, physical: PhysicalName) -> Searcher:
        """Return the view's searcher; raise `ExpiredView` if the view is gone or belongs to another index."""
        with self._lock:
            self._remove_idle()
            view = self._views.get(name)
            if view is None or view.physical != physical:
                raise ExpiredView
            view.last_used = self._clock()
            self._views.move_to_end(name)
            return view.searcher

    def remove(self, name: str) -> None:
        with self._lock:
            self._views.pop(name, None)

    def close(self) -> None:
        with self._lock:
            self._views.clear()

    def _remove_idle(self) -> None:
        expired_before = self._clock() - IDLE_SECONDS
        while self._views:
            name, view = next(iter(self._views.items()))
            if view.last_used > expired_before:
                return
            del self._views[name]
