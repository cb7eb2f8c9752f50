"""Frozen views: searchers that are kept for pages by score, until nobody has asked for some minutes."""

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

SILENCE: Final = 300.0
"""Seconds without a request after which a view is gone."""
MOST: Final = 200
"""How many views are kept; then the one that was silent longest goes."""


@dataclass(slots=True)
class _View:
    physical: PhysicalName
    searcher: Searcher
    used: float


class Views:
    """The views of this process, least recently used first; safe to use from several threads."""

    def __init__(self, clock: Callable[[], float] = time.monotonic, most: int = MOST) -> None:
        self._clock = clock
        self._most = most
        self._views: OrderedDict[str, _View] = OrderedDict()
        self._lock = threading.Lock()

    def keep(self, physical: PhysicalName, searcher: Searcher) -> str:
        """Keep this searcher and return the name to ask for it by."""
        name = secrets.token_urlsafe(12)
        with self._lock:
            self._forget_silent()
            while len(self._views) >= self._most:
                self._views.popitem(last=False)
            self._views[name] = _View(physical, searcher, self._clock())
        return name

    def searcher(self, name: str, physical: PhysicalName) -> Searcher:
        """Return the kept searcher; `ExpiredView` if it is gone, or of another index."""
        with self._lock:
            self._forget_silent()
            view = self._views.get(name)
            if view is None or view.physical != physical:
                raise ExpiredView
            view.used = self._clock()
            self._views.move_to_end(name)
            return view.searcher

    def forget(self, name: str) -> None:
        with self._lock:
            self._views.pop(name, None)

    def close(self) -> None:
        with self._lock:
            self._views.clear()

    def _forget_silent(self) -> None:
        oldest = self._clock() - SILENCE
        while self._views:
            name, view = next(iter(self._views.items()))
            if view.used > oldest:
                return
            del self._views[name]
