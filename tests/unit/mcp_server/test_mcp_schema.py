"""The schemas that clients see."""

import json
from dataclasses import replace
from typing import Annotated, Any, Literal

import jsonschema  # type: ignore[import-untyped] # ships no types
import pytest
from pydantic import Field
from typing_extensions import TypedDict

from indexer.arguments import AgentDefault, Arguments, Cursor, Detail, Unlisted
from indexer.local import results
from indexer.local.arguments import CreateIndex, ListIndices, SearchIndex
from mcp_server.feature import operations_of
from mcp_server.features.all import FEATURES
from mcp_server.json_schema import argument_schema
from mcp_server.operation import Operation
from mcp_server.protocol.schema import brief_input_schema, input_schema, output_schema
from mcp_server.protocol.tools import with_agent_defaults


class Folder(Arguments):
    """One kind of source."""

    type: Literal["folder"]
    path: str


class Pages(Arguments):
    """Another kind of source."""

    type: Literal["urls"]
    title: str


class Ingest(Arguments):
    """Nested models behind references, and a field named as a keyword of schemas is."""

    source: Annotated[Folder | Pages, Field(discriminator="type")]
    title: str = "untitled"


class Narrowed(Arguments):
    """One argument that agents see, and others that they do not."""

    query: str
    cursor: Annotated[Cursor, Unlisted()] = None
    detail: Annotated[Detail, AgentDefault("brief"), Unlisted()] = "full"


class Listed(TypedDict):
    """A result with a field named as a keyword of schemas is, and one that agents do not see."""

    success: Literal[True]
    title: str
    extra: Annotated[int, Unlisted()]


def test_arguments_are_one_object_without_references_or_titles() -> None:
    schema = argument_schema(CreateIndex)
    assert schema["type"] == "object"
    assert schema["required"] == ["index_name"]
    assert schema["properties"]["tokenizer_config"]["properties"]["min_length"]["maximum"] == 20
    assert not {'"$ref"', '"$defs"', '"title"'} & set(json.dumps(schema).replace(":", " ").split())


def test_a_union_of_models_is_one_object_and_fields_named_title_stay() -> None:
    schema = argument_schema(Ingest)
    assert set(schema["properties"]) == {"source", "title"}
    assert schema["properties"]["source"] == {
        "type": "object",
        "properties": {
            "type": {"type": "string", "enum": ["folder", "urls"]},
            "path": {"type": "string"},
            "title": {"type": "string"},
        },
        "required": ["type"],
    }
    jsonschema.validate({"source": {"type": "urls", "title": "x"}}, schema)


def test_an_optional_argument_is_listed_by_its_plain_type_and_takes_null() -> None:
    schema = argument_schema(SearchIndex)
    assert schema["properties"]["cursor"] == {"type": "string"}
    assert schema["required"] == ["query"]
    assert SearchIndex.model_validate({"query": "x", "cursor": None, "max_chars": None, "filters": None}).cursor is None


def test_a_tool_without_arguments_allows_none() -> None:
    assert argument_schema(ListIndices) == {"type": "object", "properties": {}}


def test_an_unlisted_argument_is_in_no_listing_and_accepted_all_the_same() -> None:
    operation = replace(next(each for each in operations_of(FEATURES) if each.name == "search"), arguments=Narrowed)
    for schema in (input_schema(operation), brief_input_schema(operation)):
        assert set(schema["properties"]) == {"query"}
        assert schema["required"] == ["query"]
    assert set(argument_schema(Narrowed)["properties"]) == {"query", "cursor", "detail"}
    assert operation.read({"query": "x", "cursor": "y"}).cursor == "y"
    assert with_agent_defaults(operation, {"query": "x"})["detail"] == "brief"


BOUNDED = [operation for operation in operations_of(FEATURES) if "max_chars" in operation.arguments.model_fields]


@pytest.mark.parametrize("operation", BOUNDED, ids=lambda operation: operation.name)
def test_the_schema_states_the_bound_on_results(operation: Operation[Any, Any]) -> None:
    # fetch returns a whole document where the bound of clients allows it
    expected = 70_000 if operation.name == "fetch" else 20_000
    assert input_schema(operation)["properties"]["max_chars"] == {"type": "integer", "default": expected}
    assert "default" not in argument_schema(operation.arguments)["properties"]["max_chars"]


@pytest.mark.parametrize(("given", "expected"), [({}, 20_000), ({"max_chars": None}, 20_000), ({"max_chars": 5}, 5)])
def test_results_are_bounded_unless_the_caller_says_otherwise(given: dict[str, Any], expected: int) -> None:
    operation = next(each for each in BOUNDED if each.name == "search_index")
    assert with_agent_defaults(operation, given)["max_chars"] == expected


@pytest.mark.parametrize(
    ("name", "for_agents"),
    [
        ("search_index", "brief"),
        ("searchLocalArchives", "brief"),
        ("search_everywhere", "brief"),
        ("search_query", "full"),
        ("search_by_kind", "full"),
        ("search_catalog", "full"),
    ],
)
def test_searches_have_a_level_of_detail_with_a_default_for_agents(name: str, for_agents: str) -> None:
    operation = next(each for each in operations_of(FEATURES) if each.name == name)
    assert input_schema(operation)["properties"]["detail"]["default"] == for_agents
    assert operation.arguments.model_fields["detail"].default == "full"


def test_results_and_failures_satisfy_one_flat_object() -> None:
    schema = output_schema(Listed)
    failure: dict[str, Any] = {
        "success": False,
        "error": "x",
        "error_category": "timeout",
        "details": {},
        "fix": {"required_action": "y"},
        "alternatives": {},
    }
    assert schema["type"] == "object"
    jsonschema.validate({"success": True, "title": "x", "extra": 1}, schema)
    jsonschema.validate(failure, schema)
    validator = jsonschema.Draft202012Validator(schema)
    assert set(schema["properties"]) == {"title", *failure}
    assert not validator.is_valid({"title": "x"})
    assert not validator.is_valid({"success": True, "title": 5})
    assert not validator.is_valid(failure | {"error": None})


def test_each_result_of_local_indices_has_a_schema() -> None:
    for result in (results.SearchResult, results.BulkResult, results.DescribeResult, results.IndicesResult):
        schema = output_schema(result)
        jsonschema.Draft202012Validator.check_schema(schema)
        assert "$ref" not in json.dumps(schema)
