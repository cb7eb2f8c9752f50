"""Authorization, quota and audit of a call: applied once for every call, in `run`."""

from contextlib import AbstractAsyncContextManager, nullcontext
from typing import Any, Protocol

from indexer.tenancy import Principal
from mcp_server.operation import Operation


class Admission(Protocol):
    """Wraps each call of an operation."""

    def call(self, operation: Operation[Any, Any], principal: Principal) -> AbstractAsyncContextManager[None]:
        """Check scope and quota on entry, raising `PlatformError`; write the audit record on exit."""


class AdmitAll:
    """The admission of a service without authentication."""

    def call(self, operation: Operation[Any, Any], principal: Principal) -> AbstractAsyncContextManager[None]:  # noqa: ARG002 - admits every call
        """Admit the call."""
        return nullcontext()
