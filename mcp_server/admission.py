"""Who may call what, how often, and what is written down of it: asked once for every call, in `run`."""

from contextlib import AbstractAsyncContextManager, nullcontext
from typing import Any, Protocol

from indexer.tenancy import Principal
from mcp_server.operation import Operation


class Admission(Protocol):
    """Surrounds each call of an operation."""

    def call(self, operation: Operation[Any, Any], principal: Principal) -> AbstractAsyncContextManager[None]:
        """Check scope and quota on entering, raising `PlatformError`; write the audit record on leaving."""


class EveryoneAdmitted:
    """The admission of a service without authentication."""

    def call(self, operation: Operation[Any, Any], principal: Principal) -> AbstractAsyncContextManager[None]:  # noqa: ARG002 - admits every call
        """Let the call pass."""
        return nullcontext()
