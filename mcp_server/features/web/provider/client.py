"""The wire: OpenAI's own SDK, imported at the first question, which takes half a second."""

import asyncio
from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from mcp_server.features.web.failures import failed, provider_error, unreachable
from mcp_server.features.web.settings import WebSettings
from mcp_server.observability.sdk_logs import mask_logs
from mcp_server.upstream.guard.attempts import AttemptFailed

if TYPE_CHECKING:
    from openai import APIStatusError, AsyncOpenAI

_LOGGERS: Final = ("openai", "httpx2", "httpcore2")
_OPTIONAL: Final = frozenset({"temperature", "reasoning"})
"""What some models refuse: the question is as good without."""


class WebClient:
    """Sends one request and returns its body; everything but success is `AttemptFailed`. The guard does the rest."""

    def __init__(self, settings: WebSettings) -> None:
        self._settings = settings
        self._opened: AsyncOpenAI | None = None
        self._refused: set[str] = set()

    async def ask(self, body: Mapping[str, Any]) -> bytes:
        """Send a body, without the parameters that the model is known to refuse."""
        client = await self._client()
        from openai import APIConnectionError, APIStatusError  # noqa: PLC0415 - imported by now

        accepted = {name: value for name, value in body.items() if name not in self._refused}
        try:
            response = await client.responses.with_raw_response.create(**accepted)
        except APIStatusError as error:
            raise self._failed(error, accepted) from None
        except APIConnectionError:
            raise unreachable() from None
        content: bytes = response.content
        return content

    async def aclose(self) -> None:
        """Close the connections."""
        if self._opened is not None:
            await self._opened.close()
            self._opened = None

    async def _client(self) -> "AsyncOpenAI":
        if self._opened is None:
            # In a thread, for others must not wait while it is read from the disk.
            await asyncio.to_thread(import_module, "openai.resources.responses")
        if self._opened is None:
            from openai import AsyncOpenAI, DefaultAsyncHttpx2Client  # noqa: PLC0415 - imported by now

            mask_logs(*_LOGGERS)
            key = self._settings.api_key
            self._opened = AsyncOpenAI(
                api_key=key.get_secret_value() if key is not None else None,
                base_url=self._settings.base_url,
                max_retries=0,
                timeout=None,
                http_client=DefaultAsyncHttpx2Client(trust_env=False, follow_redirects=False, timeout=None),
            )
        return self._opened

    def _failed(self, error: "APIStatusError", sent: Mapping[str, Any]) -> AttemptFailed:
        named = str(error.param or "").partition(".")[0]
        if error.status_code == 400 and named in _OPTIONAL and named in sent:
            self._refused.add(named)
            return AttemptFailed(provider_error(400), retry=True, wait=0.0, status=400)
        return failed(error.status_code, error.response.headers, error.code)
