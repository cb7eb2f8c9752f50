"""`make docs`: writes docs/tools.md, settings.md and seeds.md from the code; a test fails when they are behind."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from app.settings_table import ALL_SETTINGS, with_defaults
from mcp_server.effect import Effect
from mcp_server.feature import Feature, operations_of
from mcp_server.features.all import FEATURES
from mcp_server.json_schema import argument_schema, result_schema
from mcp_server.operation import Operation
from mcp_server.wrong_arguments import allowed
from tests.markdown import table
from tests.seeds.table import seeds_page

DOCS = Path(__file__).parent.parent / "docs"


def pages() -> dict[Path, str]:
    """Return each generated page with its text."""
    texts = {"tools.md": tools_page(), "settings.md": settings_page(), "seeds.md": seeds_page()}
    return {DOCS / name: text for name, text in texts.items()}


def tools_page(features: Sequence[Feature] = FEATURES) -> str:
    head = (
        "# Tools\n\nWritten by `make docs` from the tools themselves. Every result has `success`; a failure has "
        "`error`, `error_category`, `details`, `fix` and `alternatives`.\n"
    )
    tools = [operation for operation in operations_of(features) if operation.text is not None]
    return "\n".join([head, *(tool_section(tool) for tool in tools)])


def tool_section(tool: Operation[Any, Any]) -> str:
    manner = ", ".join(hints(tool.effect)) or "adds something new"
    parts = [f"## {tool.name}\n", f"{tool.description}\n", f"*{manner.capitalize()}.*\n"]
    if argument_schema(tool.arguments)["properties"]:
        parts.append(table(("argument", "may be", "default", "meaning"), argument_rows(tool)))
    fields = ", ".join(f"`{name}`" for name in result_schema(tool.result)["properties"])
    return "\n".join([*parts, f"Returns {fields}.\n"])


def hints(effect: Effect) -> list[str]:
    meanings = {
        "reads only": not effect.changes,
        "replaces or deletes": effect.destroys,
        "may be repeated": effect.repeatable,
        "asks services elsewhere": effect.external,
    }
    return [meaning for meaning, holds in meanings.items() if holds]


def argument_rows(tool: Operation[Any, Any]) -> list[tuple[str, str, str, str]]:
    schema = argument_schema(tool.arguments)
    return [
        (f"`{name}`", allowed(kind_only(part)), default_of(tool, name, schema), part.get("description", ""))
        for name, part in schema["properties"].items()
    ]


def kind_only(described: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in described.items() if key not in {"default", "description"}}


def default_of(tool: Operation[Any, Any], name: str, schema: Mapping[str, Any]) -> str:
    if name in schema.get("required", ()):
        return "required"
    default = tool.agent_defaults.get(name, schema["properties"][name].get("default"))
    return "" if default is None else f"`{json.dumps(default)}`"


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


def main() -> None:
    for path, text in pages().items():
        path.write_text(text, encoding="utf-8")
        print(f"wrote {path.relative_to(DOCS.parent)}")


if __name__ == "__main__":
    main()
