"""On whose behalf a call over MCP is made: the one place that asks."""

from indexer.tenancy import MAIN, Principal


def current_principal() -> Principal:
    """Return who makes the current call."""
    return MAIN
