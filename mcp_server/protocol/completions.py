"""`completion/complete`: suggestions for the arguments of prompts and URI templates."""

from mcp.shared.exceptions import MCPError
from mcp.types import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    CompleteRequestParams,
    CompleteResult,
    Completion,
    PromptReference,
)

from indexer.errors import PlatformError
from indexer.tenancy import Principal
from mcp_server.completion import MAX_SUGGESTIONS, Suggestions
from mcp_server.observability.bug_reports import report
from mcp_server.protocol.prompts import Prompts
from mcp_server.protocol.resources import Resources
from mcp_server.run import admitted
from mcp_server.services import Services


class Completions:
    """Suggests values; an argument without suggestions has none, and so has one whose operation fails."""

    def __init__(self, services: Services, prompts: Prompts, resources: Resources) -> None:
        self._services = services
        self._prompts = prompts
        self._resources = resources

    async def complete(self, params: CompleteRequestParams, principal: Principal) -> CompleteResult:
        ref, argument = params.ref, params.argument
        known = (
            self._prompts.completers(ref.name)
            if isinstance(ref, PromptReference)
            else self._resources.completers(ref.uri)
        )
        if argument.name not in known:
            raise MCPError(code=INVALID_PARAMS, message=f"Unknown argument: there are {', '.join(known) or 'none'}")
        completer = known[argument.name]
        others = (params.context.arguments if params.context else None) or {}
        found = Suggestions([], total=0)
        try:
            if completer is not None:
                async with admitted(completer.operation, self._services, principal):
                    found = await completer.complete(self._services, principal, argument.value, others)
        except PlatformError:
            # A suggestion is a convenience: the user gets the failure when the argument is used.
            pass
        except Exception as error:  # noqa: BLE001 - its text must reach neither the caller nor the log
            raise MCPError(code=INTERNAL_ERROR, message=report("completing an argument", error)) from None
        values = found.values[:MAX_SUGGESTIONS]
        has_more = found.total is None or found.total > len(values)
        return CompleteResult(completion=Completion(values=values, total=found.total, has_more=has_more))
