"""What a client sees of a service: the tools, resources, prompts and instructions of one selection.

Teams with the same configured upstreams share their views, which hold nothing else of a team.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from typing import Any, Final

from cachetools import LRUCache
from starlette.requests import Request

from indexer.tenancy import Principal
from mcp_server.protocol.address import selection_of
from mcp_server.protocol.caller import caller_of
from mcp_server.protocol.completions import Completions
from mcp_server.protocol.listing import instructions
from mcp_server.protocol.prompts import Prompts
from mcp_server.protocol.resources import Resources
from mcp_server.protocol.tools import Tools
from mcp_server.selection import Selection, allowed
from mcp_server.services import Services

_MAX_VIEWS: Final = 64
"""Addresses may name any combination of tools; the views that were used last are kept."""


class View:
    """The offered operations in the terms of the protocol."""

    def __init__(self, services: Services, configured: frozenset[str]) -> None:
        self.tools = Tools(services, configured)
        self.resources = Resources(services)
        self.prompts = Prompts(services)
        self.completions = Completions(services, self.prompts, self.resources)
        self.instructions = instructions(services, self.tools.offered, configured)


class Views:
    """The views of a service, by selection and by the upstreams that are configured."""

    def __init__(self, services: Services, local: Principal | None) -> None:
        self.services = services
        self._local = local

        def build(selection: Selection, configured: frozenset[str]) -> View:
            return View(replace(services, selection=selection), configured)

        self._view: Callable[[Selection, frozenset[str]], View] = lru_cache(_MAX_VIEWS)(build)
        self._allowed = _AllowedSelections(services)

    def of(self, request: Any) -> View:
        """Return what the address of an HTTP request selects of what its caller may use; on stdio, everything."""
        caller = caller_of(request, self._local)
        configured = self.services.upstreams.configured(caller.team)
        if not isinstance(request, Request):
            return self._view(self.services.selection, configured)
        selection = selection_of(request.scope, self.services)
        return self._view(self._allowed.of(selection, caller), configured)


class _AllowedSelections:
    """What callers with the same rights may use of a selection, remembered: looking at all operations takes a while."""

    def __init__(self, services: Services) -> None:
        self._features = services.features
        self._known: LRUCache[tuple[object, ...], Selection] = LRUCache(_MAX_VIEWS)

    def of(self, selection: Selection, caller: Principal) -> Selection:
        key = (selection, caller.scopes, caller.indices)
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = allowed(selection, self._features, caller)
        return known
