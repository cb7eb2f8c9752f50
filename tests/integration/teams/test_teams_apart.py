"""Two teams on one service: whatever red asks, it learns nothing of blue, and blue's handles are nobody's to it.

Generated from the list of operations, on both engines: an operation without a probe makes a test fail.
"""

import json
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from indexer.bootstrap import open_library
from mcp_server.features.all import FEATURES
from tests.contract.engines import ENGINES, settings_of
from tests.operations import OPERATIONS
from tests.service import in_own_task
from tests.teams_apart.calls import Exchange, exchange_of, over_mcp, probe_twice
from tests.teams_apart.compare import alike, leaks
from tests.teams_apart.handles import MARK
from tests.teams_apart.probes import PROBES
from tests.teams_apart.world import RED, World, two_teams

NAMES = [operation.name for operation in OPERATIONS]
TOOLS = [operation.name for operation in OPERATIONS if operation.text is not None]
RESOURCES = [operation.resource for operation in OPERATIONS if operation.resource is not None]
PROMPTS = [prompt for feature in FEATURES for prompt in feature.prompts]
LISTS = ("tools/list", "resources/list", "resources/templates/list", "prompts/list", "server/discover")
PAGES = ("/metrics", "/openapi.json", "/livez", "/readyz", "/", "/docs", "/.well-known/oauth-protected-resource/mcp")
pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest.fixture(scope="module", params=ENGINES)
def engine(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def world(
    engine: str, request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[World]:
    folder = tmp_path_factory.mktemp("teams")
    library = open_library(settings_of(engine, request, folder / "library"))
    async with in_own_task(two_teams(folder, library)) as world:
        yield world
    await library.aclose()


def check(world: World, exchange: Exchange) -> None:
    assert leaks(exchange.answer, exchange.request, world.canaries) == set(), exchange


async def test_every_operation_has_a_probe() -> None:
    assert set(PROBES) == set(NAMES)


async def test_what_is_looked_for_is_there_to_be_found(world: World) -> None:
    """Blue itself finds its marks: a test that finds none in red's answers can fail."""
    state = json.dumps(await world.state_of_blue())
    for told in (world.theirs.doc_id, world.theirs.author, world.theirs.path, world.theirs.index, f"{MARK}question"):
        assert told in state
    assert world.theirs.job_id in state
    assert world.theirs.token_id in state
    assert leaks(state, "", world.canaries) >= {world.theirs.job_id, world.theirs.archive_id, world.theirs.token_id}


@pytest.mark.parametrize("name", NAMES)
async def test_over_rest_blues_handles_are_like_nobodys(world: World, name: str) -> None:
    before = await world.state_of_blue()
    for probe in PROBES[name]:
        (theirs, one), (unknown, other) = await probe_twice(world, name, probe, mcp=False)
        check(world, one)
        check(world, other)
        assert one.status == other.status
        assert alike(one.answer, theirs) == alike(other.answer, unknown)
    assert await world.state_of_blue() == before


@pytest.mark.parametrize("name", TOOLS)
async def test_over_mcp_blues_handles_are_like_nobodys(world: World, name: str) -> None:
    for probe in PROBES[name]:
        (theirs, one), (unknown, other) = await probe_twice(world, name, probe, mcp=True)
        check(world, one)
        assert alike(one.answer, theirs) == alike(other.answer, unknown)


@pytest.mark.parametrize("resource", RESOURCES, ids=lambda each: each.address)
async def test_resources_tell_nothing_of_blue(world: World, resource: object) -> None:
    address = str(getattr(resource, "address"))  # noqa: B009 - the type parameter is of no interest
    answers = []
    for handles in (world.theirs, world.unknown):
        id_ = handles.archive_id if "archive" in address else handles.doc_id
        for index in (handles.index, "default"):
            uri = address.replace("{index}", index).replace("{id}", id_)
            exchange = await over_mcp(world, "resources/read", {"uri": uri})
            check(world, exchange)
            answers.append(alike(exchange.answer, handles))
    assert answers[:2] == answers[2:]


@pytest.mark.parametrize("text", ["", MARK, MARK[0], "d", "p"])
async def test_completions_tell_nothing_of_blue(world: World, text: str) -> None:
    references = [
        ({"type": "ref/prompt", "name": prompt.name}, argument.name)
        for prompt in PROMPTS
        for argument in prompt.arguments
    ]
    references += [
        ({"type": "ref/resource", "uri": resource.address}, variable)
        for resource in RESOURCES
        for variable in resource.variables
    ]
    assert references
    for ref, name in references:
        for index in (world.theirs.index, "default", "plans"):
            params = {"ref": ref, "argument": {"name": name, "value": text}, "context": {"arguments": {"index": index}}}
            check(world, await over_mcp(world, "completion/complete", params))


@pytest.mark.parametrize("method", LISTS)
async def test_lists_tell_nothing_of_blue(world: World, method: str) -> None:
    check(world, await over_mcp(world, method, {}))


@pytest.mark.parametrize("prompt", PROMPTS, ids=lambda each: each.name)
async def test_prompts_tell_nothing_of_blue(world: World, prompt: object) -> None:
    name, arguments = getattr(prompt, "name"), getattr(prompt, "arguments")  # noqa: B009 - as above
    answers = []
    for handles in (world.theirs, world.unknown):
        given = {
            argument.name: handles.archive_id if argument.name == "id" else handles.index for argument in arguments
        }
        exchange = await over_mcp(world, "prompts/get", {"name": name, "arguments": given})
        check(world, exchange)
        answers.append(alike(exchange.answer, handles))
    assert answers[0] == answers[1]


@pytest.mark.parametrize("path", PAGES)
async def test_pages_and_metrics_tell_nothing_of_blue(world: World, path: str) -> None:
    answer = await world.client.get(path, headers=world.red)
    assert answer.status_code in {200, 503}
    check(world, exchange_of(path, answer))


async def test_the_metrics_have_reds_own_numbers(world: World) -> None:
    text = (await world.client.get("/metrics", headers=world.red)).text
    assert f'trawl_documents{{kind="local",team="{RED}"}}' in text
    assert f'trawl_upstream_used_total{{team="{RED}",upstream="web",what="calls"}}' in text


async def test_the_page_of_a_document_is_like_that_of_none(world: World) -> None:
    for kind in ("indexed_id", "archived_id"):
        answers = []
        for handles in (world.theirs, world.unknown):
            id_ = getattr(handles, kind)
            answer = await world.client.get(f"/d/{id_}", headers=world.red)
            check(world, exchange_of(id_, answer))
            answers.append((answer.status_code, alike(answer.text, handles)))
        assert answers[0] == answers[1]
        assert answers[0][0] == 404
