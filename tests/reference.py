"""`make docs`: writes docs/tools.md and docs/settings.md from the code; a test fails when they are behind."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from app.settings_table import ALL_SETTINGS, with_defaults
from mcp_server.refusal import allowed
from mcp_server.schema import input_schema, output_schema
from mcp_server.server import all_tools
from mcp_server.tool import Tool

DOCS = Path(__file__).parent.parent / "docs"
HINTS = {
    "read_only_hint": "reads only",
    "destructive_hint": "replaces or deletes",
    "idempotent_hint": "may be repeated",
    "open_world_hint": "asks services elsewhere",
}


def pages() -> dict[Path, str]:
    """Return each generated page with its text."""
    return {DOCS / "tools.md": tools_page(), DOCS / "settings.md": settings_page()}


def tools_page() -> str:
    head = (
        "# Tools\n\nWritten by `make docs` from the tools themselves. Every result has `success`; a failure has "
        "`error`, `error_category`, `details`, `fix` and `alternatives`.\n"
    )
    return "\n".join([head, *(tool_section(tool) for tool in all_tools())])


def tool_section(tool: Tool[Any, Any]) -> str:
    hints = [meaning for name, meaning in HINTS.items() if getattr(tool.annotations, name)]
    manner = ", ".join(hints) or "adds something new"
    parts = [f"## {tool.name}\n", f"{tool.description}\n", f"*{manner.capitalize()}.*\n"]
    schema = input_schema(tool.arguments)
    if schema["properties"]:
        parts.append(table(("argument", "may be", "default", "meaning"), argument_rows(schema)))
    result = output_schema(tool.result)["oneOf"][0]
    fields = ", ".join(f"`{name}`" for name in result["properties"])
    return "\n".join([*parts, f"Returns {fields}.\n"])


def argument_rows(schema: Mapping[str, Any]) -> list[tuple[str, str, str, str]]:
    return [
        (f"`{name}`", allowed(kind_only(described)), default_of(described), described.get("description", ""))
        for name, described in schema["properties"].items()
    ]


def kind_only(described: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in described.items() if key not in {"default", "description"}}


def default_of(described: Mapping[str, Any]) -> str:
    if "default" not in described:
        return "required"
    return "" if described["default"] is None else f"`{json.dumps(described['default'])}`"


def settings_page() -> str:
    head = (
        "# Settings\n\nWritten by `make docs` from the settings themselves. They are read from the environment and "
        "from `.env`; `trawl doctor` shows what is set, with secrets masked.\n"
    )
    rows = [
        (f"`{setting.name}`", f"`{setting.value}`" if setting.value else "", setting.description)
        for kind in ALL_SETTINGS
        for setting in with_defaults(kind)
    ]
    return "\n".join([head, table(("setting", "default", "meaning"), rows)])


def table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    lines = [head, ("---",) * len(head), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines) + "\n"


def main() -> None:
    for path, text in pages().items():
        path.write_text(text, encoding="utf-8")
        print(f"wrote {path.relative_to(DOCS.parent)}")


if __name__ == "__main__":
    main()
