"""Views: searchers kept in memory for pages by score. They expire after some minutes without use.

How many there may be is decided by their callers (`indexer/open_views.py`).
"""

import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

from tantivy import Searcher

from indexer.engines.port import VIEW_IDLE_SECONDS
from indexer.errors import ExpiredView
from indexer.tenancy import PhysicalName


@dataclass(slots=True)
class _View:
    physical: PhysicalName
    searcher: Searcher
    last_used: float


class Views:
    """The views of this process, least recently used first; thread-safe."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._views: OrderedDict[str, _View] = OrderedDict()
        self._lock = threading.Lock()

    def add(self, physical: PhysicalName, searcher: Searcher) -> str:
        """Keep this searcher and return the name of its view."""
        name = secrets.token_urlsafe(12)
        with self._lock:
            self._remove_idle()
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

    def remove_idle(self) -> bool:
        """Remove the views that have expired; return whether there are others."""
        with self._lock:
            self._remove_idle()
            return bool(self._views)

    def close(self) -> None:
        with self._lock:
            self._views.clear()

    def _remove_idle(self) -> None:
        expired_before = self._clock() - VIEW_IDLE_SECONDS
        while self._views:
            name, view = next(iter(self._views.items()))
            if view.last_used > expired_before:
                return
            del self._views[name]
