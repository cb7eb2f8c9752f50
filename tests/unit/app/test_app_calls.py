import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.calls import Call
from app.routes import ALL_CALLS
from indexer.errors import Invalid, NotFound

BY_TOOL = {call.tool: call for call in ALL_CALLS}
GET_DOCUMENT: Call = BY_TOOL["search_get_document"]
DESCRIBE: Call = BY_TOOL["search_describe_index"]


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


def test_every_call_has_a_name_and_a_route_of_its_own() -> None:
    assert len(BY_TOOL) == len(ALL_CALLS)
    assert len({(call.method, call.path) for call in ALL_CALLS}) == len(ALL_CALLS)


@pytest.mark.parametrize("call", ALL_CALLS, ids=lambda call: call.tool)
def test_what_stands_in_a_path_is_an_argument_of_the_call(call: Call) -> None:
    assert set(call.path_arguments) <= set(call.arguments.model_fields)
