"""Scopes and operations over REST: a token does what its scope allows, and each refusal names what is missing."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from mcp_server.access.scopes import SCOPES
from tests.integration.teams.matrix import Matrix, check_challenge, rows, running_matrix, was_reached
from tests.operations import OPERATIONS, example, over_http
from tests.scopes import SCOPE_OF

BY_NAME = {operation.name: operation for operation in OPERATIONS}
pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def matrix(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Matrix]:
    async with running_matrix(tmp_path_factory.mktemp("matrix")) as matrix:
        yield matrix


async def test_every_operation_is_in_the_table_of_scopes() -> None:
    assert set(SCOPE_OF) == set(BY_NAME)
    assert set(SCOPE_OF.values()) == {*SCOPES, ""}


@pytest.mark.parametrize("name", BY_NAME)
async def test_a_route_is_open_to_its_own_scope_alone(matrix: Matrix, name: str) -> None:
    for scopes, is_allowed in rows(name):
        matrix.client.headers.update(matrix.headers(scopes))
        answer = await over_http(matrix.client, BY_NAME[name], example(name, job=matrix.job))
        failure = answer.json()
        if is_allowed:
            assert was_reached(failure), (scopes, answer.text)
            continue
        check_challenge(answer, SCOPE_OF[name])
        assert failure["success"] is False
        assert failure["error_category"] == "authorization"
        assert failure["details"] == {"missing_scopes": [SCOPE_OF[name]]}
        assert SCOPE_OF[name] in failure["error"]
        assert SCOPE_OF[name] in failure["fix"]["required_action"]


@pytest.mark.parametrize("scope", SCOPES)
async def test_the_metrics_are_for_administrators(matrix: Matrix, scope: str) -> None:
    answer = await matrix.client.get("/metrics", headers=matrix.headers(frozenset({scope})))
    assert answer.status_code == (200 if scope == "admin" else 403)


@pytest.mark.parametrize("scope", SCOPES)
async def test_the_account_says_what_the_token_allows(matrix: Matrix, scope: str) -> None:
    answer = await matrix.client.get("/api/v1/me", headers=matrix.headers(frozenset({scope})))
    assert answer.json()["scopes"] == [scope]


@pytest.mark.parametrize("scope", SCOPES)
async def test_the_page_of_a_document_is_for_readers(matrix: Matrix, scope: str) -> None:
    id_ = example("fetch")["id"]
    answer = await matrix.client.get(f"/d/{id_}", headers=matrix.headers(frozenset({scope})))
    if scope == "search":
        assert answer.status_code in {200, 404}
    else:
        assert answer.status_code == 403
        assert "coral" not in answer.text
