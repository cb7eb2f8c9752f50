"""The pages about the server and its integrations name what there is."""

import re

import pytest

from mcp_server.feature import groups_of, operations_of
from mcp_server.features.all import FEATURES
from mcp_server.features.web.settings import WebSettings
from mcp_server.operation import Group
from tests.service import ROOT

SERVERS = (ROOT / "docs" / "mcp-servers.md").read_text(encoding="utf-8")
INTEGRATIONS = (ROOT / "docs" / "integrations.md").read_text(encoding="utf-8")
TOOLS = [operation for operation in operations_of(FEATURES) if operation.text is not None]


@pytest.mark.parametrize("group", groups_of(TOOLS), ids=lambda group: group.name)
def test_each_group_is_listed_with_its_tools(group: Group) -> None:
    (line,) = [line for line in SERVERS.splitlines() if line.startswith(f"| `{group.name}` |")]
    named = set(re.findall(r"`(\w+)`", line.split("|")[2]))
    assert named == {tool.name for tool in TOOLS if tool.group is group}


def test_the_default_limits_are_those_of_the_settings() -> None:
    settings = WebSettings(_env_file=None)
    assert f"{settings.calls_per_10_minutes} questions of a user in 10 minutes" in SERVERS
    assert f"{settings.timeout:.0f} seconds a question" in SERVERS
    assert settings.model in INTEGRATIONS


@pytest.mark.parametrize("page", [SERVERS, INTEGRATIONS], ids=["servers", "integrations"])
def test_links_lead_somewhere(page: str) -> None:
    links = re.findall(r"\]\(([^)#]+)\)", page)
    assert links
    assert all((ROOT / "docs" / link).exists() for link in links)
