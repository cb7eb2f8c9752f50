"""Which tools are offered, by the settings."""

from typing import cast

import pytest
from mcp.types import ToolAnnotations

from indexer.arguments import ListIndices
from indexer.errors import Invalid
from indexer.results import IndicesResult
from indexer.tenancy import Principal
from mcp_server.selection import selected
from mcp_server.services import Services
from mcp_server.settings import McpSettings
from mcp_server.tool import Group, Tool


async def nothing(_services: Services, _principal: Principal, _arguments: ListIndices) -> IndicesResult:
    return IndicesResult(success=True, indices=[])


def tool(name: str, *, reads: bool) -> Tool[ListIndices, IndicesResult]:
    return Tool(
        name=name,
        title=name,
        description=name,
        annotations=ToolAnnotations(read_only_hint=reads),
        arguments=ListIndices,
        result=IndicesResult,
        handler=nothing,
        text=str,
    )


GROUPS = [
    Group("books", "About books", (tool("find_book", reads=True), tool("burn_book", reads=False))),
    Group("maps", "About maps", (tool("fold_map", reads=False),)),
]


def names(**settings: object) -> list[list[str]]:
    chosen = selected(GROUPS, McpSettings.model_validate(settings))
    return [[group.name, *(each.name for each in group.tools)] for group in chosen]


def test_all_tools_are_offered_by_default() -> None:
    assert names() == [["books", "find_book", "burn_book"], ["maps", "fold_map"]]


def test_tools_and_groups_can_be_named_together() -> None:
    assert names(tools=("find_book", "maps")) == [["books", "find_book"], ["maps", "fold_map"]]


def test_reading_only_leaves_out_what_changes_something() -> None:
    assert names(read_only=True) == [["books", "find_book"]]
    assert names(read_only=True, tools=("maps",)) == []


def test_an_unknown_name_is_refused_with_the_closest_ones() -> None:
    with pytest.raises(Invalid) as raised:
        names(tools=("find_bok", "maps"))
    assert "find_bok" in raised.value.message
    assert raised.value.details["closest"]["find_bok"][0] == "find_book"
    assert raised.value.action.startswith("Did you mean find_book?")
    assert "fold_map" in raised.value.action


def test_settings_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRAWL_TOOLS", " find_book, maps ,")
    monkeypatch.setenv("TRAWL_READ_ONLY", "true")
    settings = McpSettings()
    assert settings.tools == ("find_book", "maps")
    assert settings.read_only is True


def test_an_empty_setting_means_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRAWL_TOOLS", "")
    assert McpSettings().tools == ()


def test_every_setting_describes_itself() -> None:
    fields = cast("dict[str, object]", McpSettings.model_fields)
    assert all(getattr(field, "description", None) for field in fields.values())
