"""The rules of web search: what is checked, what is asked, what it costs, and what comes back."""

from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import Any, cast

import orjson

from indexer.errors import Invalid, NotConfigured
from indexer.tenancy import Principal
from mcp_server.features.web.arguments import DeleteHistory, ListHistory, SearchWeb
from mcp_server.features.web.checks import checked
from mcp_server.features.web.failures import coded
from mcp_server.features.web.history import History
from mcp_server.features.web.provider.addresses import is_within
from mcp_server.features.web.provider.budget import Budget
from mcp_server.features.web.provider.citing import in_answer, passages_only
from mcp_server.features.web.provider.client import WebClient
from mcp_server.features.web.provider.reading import Object, parsed, read
from mcp_server.features.web.provider.request import request_body
from mcp_server.features.web.provider.spending import amounts, usage
from mcp_server.features.web.results import HistoryDeleted, HistoryResult, WebResult
from mcp_server.features.web.settings import WebSettings
from mcp_server.upstream.guard.guard import Guard
from mcp_server.upstream.telemetry import Telemetry


def _now() -> datetime:
    return datetime.now(UTC)


class WebService:
    """What the tool can do; every failure that may be expected has the code of its kind."""

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
        """Say whether there is a key; that does not mean that it is a good one."""
        return not self._settings.missing

    @property
    def telemetry(self) -> Telemetry:
        """Counts of what was asked, what became of it, and what it cost."""
        return self._guard.telemetry

    async def search_web(self, principal: Principal, arguments: SearchWeb) -> WebResult:
        """Answer a question from the web, with sources."""
        with coded():
            self._check_configured()
            question = checked(arguments, self._settings)
            told = await self._guard.call(
                f"{principal.team}\0{principal.subject}",
                self._named(question),
                self._asking(principal.team, question),
                fresh=False,
                cache_scope=principal.team,
            )
        result = cast("WebResult", orjson.loads(told.body) | {"cached": told.cached})
        await self._history.add(principal.team, question.query, result)
        return result

    async def list_history(self, principal: Principal, arguments: ListHistory) -> HistoryResult:
        """Return the team's searches, where they are kept."""
        found = await self._history.entries(principal.team)
        kept = self._history.keeps(principal.team)
        return HistoryResult(success=True, searches=found[: arguments.limit], total=len(found), kept=kept)

    async def delete_history(self, principal: Principal, arguments: DeleteHistory) -> HistoryDeleted:
        """Forget some of the team's searches, or all."""
        if arguments.everything == (arguments.ids is not None):
            raise Invalid("Give either ids or everything", action="Name searches by ids, or set everything to true")
        deleted = await self._history.delete(principal.team, arguments.ids)
        return HistoryDeleted(success=True, deleted=deleted)

    async def aclose(self) -> None:
        """Close the connections."""
        await self._client.aclose()

    def _named(self, question: SearchWeb) -> bytes:
        """Return all that decides about an answer but the moment: what has the same name may share one."""
        given = self._settings
        return orjson.dumps([given.model, given.allowed_domains, given.blocked_domains, question.model_dump()])

    def _asking(self, team: str, question: SearchWeb) -> Callable[[], Awaitable[bytes]]:
        """Return what sends the question once; a second time is still the same call."""
        counted = False

        async def send() -> bytes:
            nonlocal counted
            if not counted:
                await self._budget.enter(team)
                self.telemetry.use(team, {"calls": 1})
                counted = True
            answer = parsed(await self._client.ask(request_body(question, self._settings, self._now())))
            cost = amounts(answer, self._settings)
            self.telemetry.use(team, cost)
            await self._budget.spend(team, cost)
            return orjson.dumps(self._result(question, answer))

        return send

    def _result(self, question: SearchWeb, answer: Object) -> dict[str, Any]:
        reading = read(answer)
        shape = in_answer if question.includeAnswers else passages_only
        blocked = self._settings.blocked_domains
        sources = [source for source in reading.sources if not is_within(source.url, blocked)]
        text, citations = shape(reading.text, sources, question.maxResults)
        result: dict[str, Any] = {
            "success": True,
            "text": text,
            "citations": citations,
            "provider": f"{self._settings.model}-web-search",
            "respondedAt": f"{self._now():%Y-%m-%dT%H:%M:%SZ}",
        }
        if (tokens := usage(answer)) is not None:
            result["usage"] = tokens
        if reading.incomplete is not None:
            result["incomplete"] = reading.incomplete
        return result

    def _check_configured(self) -> None:
        if missing := self._settings.missing:
            raise NotConfigured(
                "Web search is not configured",
                action=f"Set {', '.join(missing)} and start the service again",
                details={"missing": missing},
                alternatives={"search_index": "Search this team's own indices"},
            )
