"""Client of the Responses API. OpenAI's SDK takes half a second to import, so it is imported on first use."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from mcp_server.features.web.failures import attempt_failure, connection_failure, name_request, provider_error
from mcp_server.features.web.settings import WebSettings
from mcp_server.observability.sdk_logs import mask_logs
from mcp_server.upstream.guard.attempts import AttemptFailed

if TYPE_CHECKING:
    from openai import APIStatusError, AsyncOpenAI

_LOGGERS: Final = ("openai", "httpx2", "httpcore2")
_OPTIONAL_PARAMETERS: Final = frozenset({"temperature", "reasoning"})
"""Parameters that some models reject; a request works without them."""


@dataclass(frozen=True, slots=True)
class ProviderReply:
    """A response with status 200."""

    headers: Mapping[str, str]
    body: bytes


class WebClient:
    """Sends one request without retries and returns its response; every failure is raised as `AttemptFailed`."""

    def __init__(self, settings: WebSettings) -> None:
        self._settings = settings
        self._sdk_client: AsyncOpenAI | None = None
        self._unsupported: set[str] = set()

    async def send(self, body: Mapping[str, Any]) -> ProviderReply:
        """Send a request, without the parameters that the model has rejected before."""
        client = await self._open_client()
        from openai import APIConnectionError, APIStatusError  # noqa: PLC0415 - imported on first use

        supported = {name: value for name, value in body.items() if name not in self._unsupported}
        try:
            response = await client.responses.with_raw_response.create(**supported)
        except APIStatusError as error:
            raise name_request(self._attempt_failure(error, supported), error.response.headers) from None
        except APIConnectionError:
            raise connection_failure() from None
        return ProviderReply(response.headers, response.content)

    async def aclose(self) -> None:
        """Close the connections."""
        if self._sdk_client is not None:
            await self._sdk_client.close()
            self._sdk_client = None

    async def _open_client(self) -> "AsyncOpenAI":
        if self._sdk_client is None:
            # In a thread, because the import would block the event loop.
            await asyncio.to_thread(import_module, "openai.resources.responses")
        if self._sdk_client is None:
            from openai import AsyncOpenAI, DefaultAsyncHttpx2Client  # noqa: PLC0415 - imported on first use

            mask_logs(*_LOGGERS)
            key = self._settings.api_key
            self._sdk_client = AsyncOpenAI(
                api_key=key.get_secret_value() if key is not None else None,
                base_url=self._settings.base_url,
                max_retries=0,
                timeout=None,
                http_client=DefaultAsyncHttpx2Client(trust_env=False, follow_redirects=False, timeout=None),
            )
        return self._sdk_client

    def _attempt_failure(self, error: "APIStatusError", sent: Mapping[str, Any]) -> AttemptFailed:
        parameter = str(error.param or "").partition(".")[0]
        if error.status_code == 400 and parameter in _OPTIONAL_PARAMETERS and parameter in sent:
            self._unsupported.add(parameter)
            return AttemptFailed(provider_error(400), retry=True, wait=0.0, status=400)
        return attempt_failure(error.status_code, error.response.headers, error.code)
