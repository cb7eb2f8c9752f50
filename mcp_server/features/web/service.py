"""The web search service: validates a search, sends it within the budget, and builds the result."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime
from typing import Any, cast

import orjson

from indexer.errors import Invalid, NotConfigured, PlatformError
from indexer.tenancy import Principal
from mcp_server.features.web.arguments import DeleteHistory, ListHistory, SearchWeb
from mcp_server.features.web.checks import validate_arguments
from mcp_server.features.web.failures import error_codes, named_request
from mcp_server.features.web.fusing import Answered, Unanswered, fuse
from mcp_server.features.web.history import History
from mcp_server.features.web.provider.addresses import is_within
from mcp_server.features.web.provider.budget import Budget
from mcp_server.features.web.provider.citing import cite_passages, cite_text
from mcp_server.features.web.provider.client import WebClient
from mcp_server.features.web.provider.domains import searched_domains
from mcp_server.features.web.provider.request import request_body
from mcp_server.features.web.provider.response import Object, decode_response, extract_answer
from mcp_server.features.web.provider.spending import billed_usage, token_usage
from mcp_server.features.web.results import HistoryDeleted, HistoryResult, WebResult
from mcp_server.features.web.settings import WebSettings
from mcp_server.upstream.guard.guard import Guard
from mcp_server.upstream.telemetry import Telemetry


def _now() -> datetime:
    return datetime.now(UTC)


class WebService:
    """The web search operations. Expected failures are raised as `PlatformError`; those of a search have a code."""

    def __init__(
        self,
        settings: WebSettings,
        guard: Guard,
        budget: Budget,
        client: WebClient,
        history: History,
        *,
        now: Callable[[], datetime] = _now,
    ) -> None:
        self._settings = settings
        self._guard = guard
        self._budget = budget
        self._client = client
        self._history = history
        self._now = now

    @property
    def is_configured(self) -> bool:
        """Whether a key is set; it is not verified."""
        return not self._settings.missing

    @property
    def is_sandbox(self) -> bool:
        """Whether answers come from a sandbox: the web has none."""
        return False

    @property
    def telemetry(self) -> Telemetry:
        """Counts of calls, their outcomes and their cost."""
        return self._guard.telemetry

    async def search_web(self, principal: Principal, arguments: SearchWeb) -> WebResult:
        """Search the web, and return an answer with its sources. Several queries are asked at the same time."""
        with error_codes():
            self._check_configured()
            searches = validate_arguments(arguments, self._settings)
            domains = searched_domains(arguments.type, self._settings)
            if arguments.queries is None:
                return await self._search(principal, searches[0], domains)
            outcomes = await asyncio.gather(*(self._try_search(principal, each, domains) for each in searches))
            answered = [outcome for outcome in outcomes if isinstance(outcome, Answered)]
            unanswered = [outcome for outcome in outcomes if isinstance(outcome, Unanswered)]
            if not answered:
                raise unanswered[0].error
        return fuse(answered, unanswered, max_results=arguments.maxResults, with_answers=arguments.includeAnswers)

    async def list_history(self, principal: Principal, arguments: ListHistory) -> HistoryResult:
        """Return the team's stored searches."""
        entries = await self._history.entries(principal.team)
        kept = self._history.is_enabled(principal.team)
        return HistoryResult(success=True, searches=entries[: arguments.limit], total=len(entries), kept=kept)

    async def delete_history(self, principal: Principal, arguments: DeleteHistory) -> HistoryDeleted:
        """Delete some or all of the team's stored searches."""
        if arguments.everything == (arguments.ids is not None):
            raise Invalid("Give either ids or everything", action="Name searches by ids, or set everything to true")
        deleted = await self._history.delete(principal.team, arguments.ids)
        return HistoryDeleted(success=True, deleted=deleted)

    async def aclose(self) -> None:
        """Close the connections."""
        await self._client.aclose()

    async def _try_search(
        self, principal: Principal, search: SearchWeb, domains: Sequence[str]
    ) -> Answered | Unanswered:
        try:
            with error_codes():
                return Answered(str(search.query), await self._search(principal, search, domains))
        except PlatformError as error:
            return Unanswered(str(search.query), error)

    async def _search(self, principal: Principal, search: SearchWeb, domains: Sequence[str]) -> WebResult:
        response = await self._guard.call(
            f"{principal.team}\0{principal.subject}",
            self._cache_key(search, domains),
            self._sender(principal.team, search, domains),
            fresh=False,
            cache_scope=principal.team,
        )
        result = cast("WebResult", orjson.loads(response.body) | {"cached": response.cached})
        await self._history.add(principal.team, str(search.query), result)
        return result

    def _cache_key(self, search: SearchWeb, domains: Sequence[str]) -> bytes:
        """Return everything that affects an answer except the time; equal searches share a response."""
        return orjson.dumps([self._settings.model, domains, self._settings.blocked_domains, search.model_dump()])

    def _sender(self, team: str, search: SearchWeb, domains: Sequence[str]) -> Callable[[], Awaitable[bytes]]:
        """Return the function that sends the request; retries count as one call against the budget."""
        is_counted = False

        async def send() -> bytes:
            nonlocal is_counted
            if not is_counted:
                await self._budget.count_call(team)
                self.telemetry.use(team, {"calls": 1})
                is_counted = True
            reply = await self._client.send(request_body(search, self._settings, domains, self._now()))
            with named_request(reply.headers):
                response = decode_response(reply.body)
                used = billed_usage(response, self._settings)
                self.telemetry.use(team, used)
                await self._budget.add_usage(team, used)
                return orjson.dumps(self._result(search, response))

        return send

    def _result(self, search: SearchWeb, response: Object) -> dict[str, Any]:
        answer = extract_answer(response)
        cite = cite_text if search.includeAnswers else cite_passages
        blocked = self._settings.blocked_domains
        sources = [source for source in answer.sources if not is_within(source.url, blocked)]
        text, citations = cite(answer.text, sources, search.maxResults)
        result: dict[str, Any] = {
            "success": True,
            "text": text,
            "citations": citations,
            "provider": f"{self._settings.model}-web-search",
            "respondedAt": f"{self._now():%Y-%m-%dT%H:%M:%SZ}",
        }
        if (tokens := token_usage(response)) is not None:
            result["usage"] = tokens
        if answer.incomplete is not None:
            result["incomplete"] = answer.incomplete
        return result

    def _check_configured(self) -> None:
        if missing := self._settings.missing:
            raise NotConfigured(
                "Web search is not configured",
                action=f"Set {', '.join(missing)} and start the service again",
                details={"missing": missing},
                alternatives={"search_index": "Search this team's own indices"},
            )
