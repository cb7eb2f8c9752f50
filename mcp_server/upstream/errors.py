"""Failures that only an upstream causes: a rate limit, or an error of its own."""

from collections.abc import Mapping
from typing import Any

from indexer.errors import PlatformError


class RateLimited(PlatformError):
    """Too many calls; `details.retry_after_s` says when to retry."""

    category = "rate_limit"

    def __init__(
        self,
        message: str,
        *,
        retry_after: float,
        details: Mapping[str, Any] | None = None,
        alternatives: Mapping[str, str] | None = None,
    ) -> None:
        seconds = max(1, round(retry_after))
        super().__init__(
            message,
            action=f"Wait {seconds} seconds, then call again",
            details={**(details or {}), "retry_after_s": seconds},
            alternatives=alternatives,
        )


class Provider(PlatformError):
    """The upstream failed, or returned a response that cannot be parsed."""

    category = "provider"
