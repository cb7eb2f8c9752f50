"""Which tools are offered, by the settings."""

from typing import cast

import pytest

from indexer.errors import Authorization, Invalid
from indexer.local.arguments import ListIndices
from indexer.local.results import IndicesResult
from indexer.tenancy import Principal
from mcp_server.effect import DELETE, READ
from mcp_server.feature import Feature
from mcp_server.operation import Group, Operation
from mcp_server.route import Route
from mcp_server.selection import select
from mcp_server.services import Services
from mcp_server.settings import McpSettings


async def nothing(_services: Services, _principal: Principal, _arguments: ListIndices) -> IndicesResult:
    return IndicesResult(success=True, indices=[])


def operation(name: str, group: str, *, reads: bool) -> Operation[ListIndices, IndicesResult]:
    return Operation(
        name=name,
        title=name,
        description=name,
        group=Group(group, f"About {group}", reads="search", changes="write"),
        effect=READ if reads else DELETE,
        arguments=ListIndices,
        result=IndicesResult,
        handler=nothing,
        route=Route("GET", f"/api/v1/{name}"),
        text=str,
    )


FEATURES = [
    Feature((operation("find_book", "books", reads=True), operation("burn_book", "books", reads=False))),
    Feature((operation("fold_map", "maps", reads=False),)),
    Feature((operation("pulse", "health", reads=True),), always_offered=True),
]


def names(**settings: object) -> set[str]:
    return set(select(FEATURES, McpSettings.model_validate(settings)).names)


def test_all_tools_are_offered_by_default() -> None:
    assert names() == {"find_book", "burn_book", "fold_map", "pulse"}


def test_tools_and_groups_can_be_named_together() -> None:
    assert names(tools=("find_book", "maps")) == {"find_book", "fold_map", "pulse"}


def test_reading_only_leaves_out_what_changes_something() -> None:
    assert names(read_only=True) == {"find_book", "pulse"}
    assert names(read_only=True, tools=("maps",)) == {"pulse"}


def test_what_is_left_out_answers_authorization() -> None:
    selection = select(FEATURES, McpSettings(read_only=True))
    find, burn = FEATURES[0].operations
    selection.check(find)
    with pytest.raises(Authorization, match="does not offer burn_book") as raised:
        selection.check(burn)
    assert "TRAWL_READ_ONLY" in raised.value.action


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
