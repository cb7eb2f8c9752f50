from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from indexer.errors import Invalid, NotFound
from mcp_server.feature import operations_of
from mcp_server.features.all import FEATURES
from mcp_server.operation import Operation

OPERATIONS = operations_of(FEATURES)
ROUTES = {operation.name: operation.route for operation in OPERATIONS}
GET_DOCUMENT = ROUTES["search_get_document"]
DESCRIBE = ROUTES["search_describe_index"]


@pytest.mark.parametrize(
    "doc_id",
    ["plain", "a/b", "/", "//a//", "50%", "%2F", "a?b=c", "a#b", "Zoë 海", "a+b", "a b", ".", "..", "../x", "'\""],
)
def test_an_id_comes_out_of_its_address_as_it_went_in(doc_id: str) -> None:
    address = GET_DOCUMENT.address({"index_name": "default", "doc_id": doc_id})
    assert GET_DOCUMENT.read_path(address.encode("ascii")) == {"index_name": "default", "doc_id": doc_id}


@settings(derandomize=True, deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=60))
def test_any_id_comes_out_of_its_address_as_it_went_in(doc_id: str) -> None:
    address = GET_DOCUMENT.address({"index_name": "default", "doc_id": doc_id})
    assert GET_DOCUMENT.read_path(address.encode("ascii"))["doc_id"] == doc_id


def test_slashes_of_an_id_may_also_stand_unencoded() -> None:
    read = GET_DOCUMENT.read_path(b"/api/v1/indices/notes/documents/a/b/c")
    assert read == {"index_name": "notes", "doc_id": "a/b/c"}


def test_an_encoded_slash_in_a_name_stays_in_the_name() -> None:
    read = GET_DOCUMENT.read_path(b"/api/v1/indices/a%2Fdocuments%2Fb/documents/c")
    assert read == {"index_name": "a/documents/b", "doc_id": "c"}


def test_an_encoded_slash_makes_no_address_of_another() -> None:
    with pytest.raises(NotFound):
        DESCRIBE.read_path(b"/api%2Fv1/indices/x")
    with pytest.raises(NotFound):
        GET_DOCUMENT.read_path(b"/api%2Fv1/indices/x/documents/y/z")


def test_a_path_that_is_not_utf_8_is_invalid() -> None:
    with pytest.raises(Invalid, match="not UTF-8"):
        GET_DOCUMENT.read_path(b"/api/v1/indices/x/documents/%FF%FE")


def test_every_operation_has_a_name_and_a_route_of_its_own() -> None:
    assert len(ROUTES) == len(OPERATIONS)
    assert len({(route.method, route.path) for route in ROUTES.values()}) == len(OPERATIONS)


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.name)
def test_what_stands_in_a_path_is_an_argument(operation: Operation[Any, Any]) -> None:
    takes = operation.route.takes or operation.arguments
    assert set(operation.route.path_arguments) <= set(takes.model_fields)
