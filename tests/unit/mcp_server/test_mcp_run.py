"""The one way to run an operation: in which order a call is checked, and what is known of it afterwards."""

from dataclasses import replace
from typing import Any, Literal

import pytest
from typing_extensions import TypedDict

from indexer.errors import Authorization, Invalid, NotFound
from indexer.local.arguments import DescribeIndex
from indexer.tenancy import IndexName, Principal, TeamId
from mcp_server.access.scopes import InsufficientScope
from mcp_server.admission import Admission, Call, Ended
from mcp_server.effect import DELETE
from mcp_server.feature import Feature
from mcp_server.operation import Group, Operation
from mcp_server.principal import principal_of, put_principal
from mcp_server.route import Route
from mcp_server.run import run
from mcp_server.services import Services
from mcp_server.wrong_arguments import WrongArguments
from tests.made_services import MAIN, made_services


class Done(TypedDict):
    """That it was done, and for whom."""

    success: Literal[True]
    team: str


async def _handler(_: Services, principal: Principal, arguments: DescribeIndex) -> Done:
    if arguments.index_name == "broken":
        raise ZeroDivisionError
    if arguments.index_name == "missing":
        raise NotFound("There is none", action="Make one")
    return Done(success=True, team=principal.team)


OPERATION = Operation(
    name="do",
    title="Do",
    description="Does something",
    group=Group("doing", "Do", reads="search", changes="write"),
    effect=DELETE,
    arguments=DescribeIndex,
    result=Done,
    handler=_handler,
    route=Route("POST", "/api/v1/do"),
    text=str,
)


class Recorded:
    """An audit in memory."""

    def __init__(self) -> None:
        self.records: list[str] = []
        self.begun: list[str] = []

    async def begin(self, call: Call) -> None:
        self.begun.append(f"{call.operation.name} {call.object}")

    async def record(self, call: Call, ended: Ended) -> None:
        who = f"{call.principal.team}/{call.principal.subject}"
        self.records.append(f"{who} {call.operation.name} {call.object}: {ended.outcome}")


@pytest.fixture
def audit() -> Recorded:
    return Recorded()


@pytest.fixture
def services(audit: Recorded) -> Services:
    return replace(made_services(features=(Feature((OPERATION,)),)), admission=Admission(audit=audit))


async def never() -> DescribeIndex:
    raise AssertionError("the arguments of a call that is refused are not read")


async def test_a_handler_gets_its_caller_and_its_arguments(services: Services, audit: Recorded) -> None:
    geology = Principal(TeamId("geology"), "ada", frozenset({"write"}))
    assert await run(OPERATION, services, geology, {"index_name": "x"}) == {"success": True, "team": "geology"}
    assert audit.records == ["geology/ada do x: ok"]
    assert services.metrics.calls == {("do", "ok"): 1}


async def test_what_is_left_out_is_refused_before_the_arguments_are_read(services: Services, audit: Recorded) -> None:
    reading = replace(services, selection=made_services(features=services.features, read_only=True).selection)
    with pytest.raises(Authorization, match="does not offer do"):
        await run(OPERATION, reading, MAIN, never)
    assert audit.records == ["main/anonymous do : authorization"]
    assert services.metrics.calls == {("do", "authorization"): 1}


async def test_a_token_without_the_scope_is_refused_before_the_arguments_are_read(
    services: Services, audit: Recorded
) -> None:
    reader = Principal(TeamId("geology"), "eve", frozenset({"search", "admin"}))
    with pytest.raises(InsufficientScope, match="scope write") as refused:
        await run(OPERATION, services, reader, never)
    assert refused.value.missing == ("write",)
    assert audit.records == ["geology/eve do : authorization"]
    assert services.metrics.calls == {("do", "authorization"): 1}


@pytest.mark.parametrize(
    ("given", "raised", "outcome"),
    [
        ({"index_name": 5}, WrongArguments, "validation"),
        ({"other": "x"}, Invalid, "validation"),
        ({"index_name": "missing"}, NotFound, "not_found"),
        ({"index_name": "broken"}, ZeroDivisionError, "broken"),
    ],
)
async def test_each_end_is_counted_and_written_down(
    services: Services, audit: Recorded, given: dict[str, Any], raised: type[Exception], outcome: str
) -> None:
    with pytest.raises(raised):
        await run(OPERATION, services, MAIN, given)
    assert services.metrics.calls == {("do", outcome): 1}
    assert [record.rpartition(" ")[2] for record in audit.records] == ["error" if outcome == "broken" else outcome]


async def test_a_token_that_is_limited_to_indices_uses_no_other(services: Services) -> None:
    limited = replace(MAIN, indices=frozenset({IndexName("x")}))
    assert await run(OPERATION, services, limited, {"index_name": "X"}) == {"success": True, "team": "main"}
    with pytest.raises(Authorization, match="limited to other indices") as refused:
        await run(OPERATION, services, limited, {"index_name": "y"})
    assert refused.value.details == {"indices": ["x"]}


def test_a_request_that_nobody_was_named_for_has_no_caller() -> None:
    scope: dict[str, Any] = {"type": "http"}
    with pytest.raises(KeyError):
        principal_of(scope)
    put_principal(scope, MAIN)
    assert principal_of(scope) == MAIN


def test_scopes_follow_from_group_and_effect_unless_an_operation_has_its_own() -> None:
    assert OPERATION.scope == "write"
    assert replace(OPERATION, own_scope="ingest").scope == "ingest"
