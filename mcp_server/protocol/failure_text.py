"""Failures as short text, for clients and models that read only text."""

from indexer.errors import Failure
from mcp_server.result_json import compact_json


def failure_text(failure: Failure) -> str:
    """Render what failed, why, and what to do."""
    lines = [f"Failed ({failure['error_category']}): {failure['error']}"]
    if failure["details"]:
        lines.append(f"Details: {compact_json(failure['details'])}")
    lines.append(f"Fix: {failure['fix']['required_action']}")
    if "command" in failure["fix"]:
        lines.append(f"Command: {failure['fix']['command']}")
    lines += [f"Or {name}: {reason}" for name, reason in failure["alternatives"].items()]
    return "\n".join(lines)
