import json
from typing import get_args

import pytest
from pydantic import ValidationError

from app.http.failures import STATUS, failure_response
from app.http.responses import to_json
from indexer.errors import Authorization, Category, PlatformError
from indexer.local.arguments import CreateIndex, SearchIndex
from mcp_server.wrong_arguments import WrongArguments


class Busy(PlatformError):
    category = "rate_limit"


def test_every_category_has_its_status() -> None:
    assert STATUS == {
        "validation": 422,
        "not_found": 404,
        "conflict": 409,
        "authentication": 401,
        "authorization": 403,
        "not_configured": 501,
        "not_applicable": 400,
        "rate_limit": 429,
        "timeout": 504,
        "unavailable": 503,
        "provider": 502,
        "parse": 502,
    }
    assert set(STATUS) == set(get_args(Category))


def test_a_failure_is_answered_with_its_status_and_shape() -> None:
    response = failure_response(Authorization("No", action="Ask somebody else"))
    assert response.status_code == 403
    assert response.headers["content-type"] == "application/json"
    assert json.loads(response.body) == {
        "success": False,
        "error": "No",
        "error_category": "authorization",
        "details": {},
        "fix": {"required_action": "Ask somebody else"},
        "alternatives": {},
    }


@pytest.mark.parametrize(("seconds", "header"), [(0.2, "1"), (7, "7"), (7.6, "8")])
def test_a_rate_limit_says_when_to_come_back(seconds: float, header: str) -> None:
    response = failure_response(Busy("Busy", action="Wait", details={"retry_after_s": seconds}))
    assert (response.status_code, response.headers["retry-after"]) == (429, header)


def test_wrong_arguments_are_named_without_their_values() -> None:
    with pytest.raises(ValidationError) as caught:
        SearchIndex.model_validate({"k": "s3cret", "fuzzy": "s3cret", "filters": ["s3cret"], "unknown": "s3cret"})
    failure = WrongArguments(SearchIndex, caught.value).failure()
    assert {problem["argument"] for problem in failure["details"]["errors"]} == {
        "query",
        "k",
        "fuzzy",
        "filters",
        "unknown",
    }
    assert "s3cret" not in str(failure)


def test_a_number_out_of_range_is_answered_with_the_range() -> None:
    with pytest.raises(ValidationError) as caught:
        CreateIndex.model_validate({"index_name": "x", "tokenizer_config": {"min_length": 21}})
    (problem,) = WrongArguments(CreateIndex, caught.value).details["errors"]
    assert problem["argument"] == "tokenizer_config.min_length"
    assert "20" in problem["problem"]


def test_results_become_compact_json_also_with_numbers_beyond_64_bits() -> None:
    assert to_json({"a": [1, "é"]}) == '{"a":[1,"é"]}'.encode()
    assert json.loads(to_json({"a": 2**80})) == {"a": 2**80}


def test_half_a_surrogate_pair_becomes_a_replacement_character() -> None:
    assert to_json({"a": "x\ud800"}).decode() == '{"a":"x\N{REPLACEMENT CHARACTER}"}'
