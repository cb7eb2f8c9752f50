"""What the document "Search MCP Plan" asks for, with OpenAI's wire format over real HTTP."""

import json
import re
from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime
from typing import Any

import httpx
import pytest
import pytest_asyncio

from mcp_server.features.web.settings import WebSettings
from tests.modern import modern_request
from tests.seeds import rows_004
from tests.seeds.agent import Agent, connect
from tests.seeds.requirements import rows, seed
from tests.service import ROOT, Service, trawl
from tests.upstreams.openai import KEY, Answer, OpenAiServer, error, openai_server
from tests.upstreams.openai_fixtures import RESPONSES, citation, message, response, search
from tests.upstreams.openai_services import Start, web_services
from tests.upstreams.openai_texts import PLAIN_ANSWER

TITLE = "Seed 004: web search"
DEVIATIONS = rows_004.DEVIATIONS
QUERY = "What was a positive story from today?"
SECRET = "canary7f3a"

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def upstream() -> AsyncIterator[OpenAiServer]:
    async with openai_server() as server:
        yield server


@pytest.fixture
def openai(upstream: OpenAiServer) -> OpenAiServer:
    """The same provider for all tests, without what it was asked and told before."""
    upstream.requests.clear()
    upstream.always = Answer()
    return upstream


@pytest.fixture(scope="module")
def start(upstream: OpenAiServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Start]:
    with web_services(upstream, tmp_path_factory) as started:
        yield started


@pytest.fixture(scope="module")
def service(start: Start) -> Service:
    """A service for many questions, each of which is asked."""
    return start(CALLS_PER_10_MINUTES="1000", CACHE_SECONDS="0")


def assert_failure(result: dict[str, Any], code: str, category: str, message: str) -> None:
    told = result["code"], result["error_category"], result["error"]
    assert (result["success"], *told) == (False, code, category, message)
    assert result["fix"]["required_action"]


@seed("3,9,634,640,648", "The agent calls search_web, and its description says when to use another tool")
@seed("78,155-158", "It is not for prediction markets and news feeds")
async def test_the_tool_is_listed_with_when_to_use_it(agent: Agent) -> None:
    told = agent.tools["search_web"].description or ""
    assert all(words in told for words in ("searchLocalArchives", "prediction markets", "news feeds"))


@pytest.mark.parametrize(("name", "default", "schema"), rows(rows_004.ARGUMENTS))
@seed("118-127,165", "The input schema")
async def test_an_argument_has_its_type_and_default(agent: Agent, name: str, default: Any, schema: Any) -> None:
    listed = agent.arguments("search_web")[name]
    assert any(schema.items() <= kind.items() for kind in listed.get("anyOf", [listed])), listed
    assert listed.get("default") == default


@seed("11-23,75,183-186,352-355", "POST /v1/responses with the model gpt-5-nano, the tool web_search and the question")
@seed("129-153,261-270,406-412,533-534,635", "The output and citation schemas: all fields are there, with their types")
@seed("76,132,264", "Text only: title, address, snippet, time of the answer; the text with its inline citations")
@seed("508-509,535,539-541,561-563", "Tests are end to end with recorded answers, and never ask the live web")
@seed("162-194,498,576", "From the question over the provider to the answer, end to end")
async def test_a_question_is_answered_with_citations(agent: Agent, openai: OpenAiServer) -> None:
    result = await agent.call("search_web", query=f" {QUERY}")
    (request,) = openai.requests
    assert openai.url.startswith("http://127.0.0.1:")
    assert request.headers["authorization"] == f"Bearer {KEY}"
    assert {"model": "gpt-5-nano", "input": QUERY}.items() <= request.body.items()
    assert [tool["type"] for tool in request.body["tools"]] == ["web_search"]
    assert {name: type(result[name]) for name in rows_004.RESULT} == rows_004.RESULT
    assert (result["text"], result["provider"]) == (PLAIN_ANSWER, "gpt-5-nano-web-search")
    assert abs((datetime.now(UTC) - datetime.fromisoformat(result["respondedAt"])).total_seconds()) < 60
    assert result["usage"] == {"promptTokens": 8_412, "responseTokens": 912}
    for rank, cited in enumerate(result["citations"], start=1):
        assert {name: type(cited[name]) for name in rows_004.CITATION} == rows_004.CITATION
        assert cited["rank"] == rank
        assert result["text"][cited["startIndex"] : cited["endIndex"]] == cited["textSnippet"]


@seed("25-68,379-404,583-587", "The example of a response: an array with a search call and a message with a citation")
@seed("64-65,149-150,400-402", "A citation of characters 2606 to 2758, which is the marker behind a sentence")
@seed("125,470", "includeAnswers is true by default; without answers the passages that are cited come alone")
async def test_the_example_of_a_response_is_read(agent: Agent, openai: OpenAiServer) -> None:
    for answer in (Answer(body=RESPONSES["seed"]["output"]), Answer("seed")):
        openai.always = answer
        result = await agent.call("search_web", query=QUERY)
        (cited,) = result["citations"]
        assert result["text"] == "On March 6, 2025, several news..."
        assert (cited["url"], cited["title"], cited["rank"]) == ("https://...", "Title...", 1)
    openai.always = Answer("seed_whole")
    (whole,) = (await agent.call("search_web", query=QUERY))["citations"]
    assert (whole["startIndex"], whole["endIndex"]) == (2606, 2758 - len("?utm_source=openai"))
    alone = await agent.call("search_web", query=QUERY, includeAnswers=False)
    assert alone["text"] == alone["citations"][0]["textSnippet"] == "On March 6, 2025, severa."


@pytest.mark.parametrize("name", rows(rows_004.TRACKING))
@seed("76,146,167,398", "Addresses have no tracking parameters, neither in citations nor in the text")
@seed("399,517", "Missing fields are no hindrance: no title, no usage")
async def test_tracking_parameters_are_stripped(agent: Agent, openai: OpenAiServer, name: str) -> None:
    mark = f"([a.example](https://a.example/?id=7&{name}=x))"
    cited = citation(f"Reefs grow. {mark}", mark, f"https://a.example/?{name}=x&id=7") | {"title": None}
    openai.always = Answer(body=response(search(), message(f"Reefs grow. {mark}", cited), usage=None))
    result = await agent.call("search_web", query=QUERY)
    (found,) = result["citations"]
    assert (found["url"], found["title"], "usage" in result) == ("https://a.example/?id=7", "", False)
    assert found["textSnippet"] == "([a.example](https://a.example/?id=7))"
    assert result["text"] == f"Reefs grow. {found['textSnippet']}"


@pytest.mark.parametrize("arguments", rows(rows_004.WITHIN))
@seed("527", "Valid queries pass through")
async def test_what_is_within_the_bounds_is_asked(agent: Agent, openai: OpenAiServer, arguments: Any) -> None:
    assert (await agent.call("search_web", **arguments))["success"]
    assert len(openai.requests) == 1


@pytest.mark.parametrize("arguments", rows(rows_004.BREAKING))
async def test_what_breaks_the_schema_is_refused(agent: Agent, openai: OpenAiServer, arguments: dict[str, Any]) -> None:
    assert next(iter(arguments)) in await agent.refusal("search_web", query=QUERY, **arguments)
    assert openai.requests == []


@pytest.mark.parametrize(("arguments", "message"), rows(rows_004.REFUSED))
@seed("216,227", "Invalid input: a validation failure, and nothing is asked")
@seed("158,299-318,637", "The failure names the server to use and the words")
async def test_invalid_input_is_refused(agent: Agent, openai: OpenAiServer, arguments: Any, message: str) -> None:
    result = await agent.call("search_web", **arguments)
    assert_failure(result, "VALIDATION", "validation", message)
    assert bool(result["details"].get("rejectedKeywords")) == message.startswith("Use ")
    assert openai.requests == []


@seed("170-175,496", "The instructions: use web_search, at most maxResults, the time of publication, 800 characters")
@seed("369-377,497", "freshnessHours is told as in the example")
@seed("124,498", "The region is where the provider searches from")
@seed("122,133,467", "At most maxResults citations, by default 5")
@seed("662", "A range of dates is wished for")
@seed("665", "News and academic searches")
@seed("666", "Several queries with one result")
async def test_wishes_reach_the_provider(agent: Agent, openai: OpenAiServer) -> None:
    openai.always = Answer("many")
    few = await agent.call("search_web", query=QUERY, maxResults=3, freshnessHours=24, region="us")
    usual = await agent.call("search_web", query=QUERY, type="academic")
    await agent.call("search_web", query=QUERY, publishedAfter="2025-01-01", publishedBefore="2025-03-06")
    wished, academic, dated = openai.bodies
    assert wished["input"] == f"{QUERY} (prefer results from last 24 hours)"
    assert wished["tools"][0]["user_location"]["country"] == "US"
    assert all(words in wished["instructions"] for words in rows_004.INSTRUCTIONS)
    assert "at most 5 sources" in academic["instructions"]
    assert "arxiv.org" in academic["tools"][0]["filters"]["allowed_domains"]
    assert (len(few["citations"]), len(usual["citations"])) == (3, 5)
    assert "on 2025-01-01 or later and on 2025-03-06 or earlier" in dated["input"]
    fused = await agent.call("search_web", queries=["are reefs well", "are whales well"])
    assert [each["query"] for each in fused["citations"]] == ["are reefs well"] * 5
    assert len(openai.requests) == 5


@pytest.mark.parametrize(("answer", "requests", "expected"), rows(rows_004.ERRORS))
@seed("97,209-217,275,432,500,624,638,650", "Failures of the provider are typed: a code, a category, a message")
@seed("96,219-229", "Two attempts at most, and only where it may help")
@seed("233,235", "What is no success is a failure, with what the provider gave to find it by")
async def test_failures_of_the_provider_are_typed(
    agent: Agent, openai: OpenAiServer, answer: Answer, requests: int, expected: tuple[str, str]
) -> None:
    openai.always = answer
    result = await agent.call("search_web", query=QUERY)
    assert_failure(result, *expected, rows_004.MESSAGES[expected[0]])
    assert answer.hang_up or result["details"]["provider_request_id"].startswith("req_")
    assert len(openai.requests) == requests
    openai.always = Answer()
    assert (await agent.call("search_web", query=QUERY))["success"]


@seed("94,188,341,641", "15 seconds for a question")
@seed("102,198,590,625,659", "20 questions of a user in 10 minutes")
@seed("595-596,658", "Answers are cached for 5 minutes")
@seed("577,600-601,626,651,660", "Costs are metrics of each team, with a budget and a rule for alerts")
@seed("591-592,625,651", "A global rate limit, shared by all")
@seed("661", "A history of searches, for teams that want one")
async def test_limits_and_costs(start: Start, openai: OpenAiServer) -> None:
    policy = WebSettings(_env_file=None).policy
    assert (policy.deadline, policy.calls, policy.window, policy.cache_seconds) == (15, 20, 600, 300)
    sparing = start(DAILY_CALLS="100", HISTORY="main")
    agent = await connect(sparing.url)
    results = [await agent.call("search_web", query=f"question {number}") for number in range(20)]
    assert await agent.call("search_web", query="question 0") == results[0] | {"cached": True}
    assert_failure(await agent.call("search_web", query="question 20"), *rows_004.LIMITED)
    assert len(openai.requests) == 20
    assert (await agent.call("web_history_list"))["searches"][0]["query"] == "question 0"
    async with httpx.AsyncClient(trust_env=False) as client:
        metrics = (await client.get(f"{sparing.url}/metrics")).text
    for sample, value in (("used_total{", 20), ("daily_used{", 20), ("daily_limit{", 100)):
        assert re.search(rf'^trawl_upstream_{sample}.*what="calls".* {value}\.0$', metrics, re.MULTILINE)
        assert sample == "used_total{" or sample[:-1] in (ROOT / "deploy/prometheus/alerts.yaml").read_text()
    agent = await connect(start(CALLS_PER_MINUTE_TOTAL="1").url)
    assert (await agent.call("search_web", query=QUERY))["success"]
    refused = await agent.call("search_web", query="another question")
    assert (refused["code"], refused["details"]["limit"]) == ("RATE_LIMIT", "all teams together")


@seed("109,609,636", "Every call is authenticated by a bearer token")
@seed("522-524", "A valid token succeeds; an invalid one and a missing one are authentication failures")
async def test_a_token_is_asked_for(start: Start, openai: OpenAiServer) -> None:
    service = start(auth="on")
    created = trawl("token", "create", "--scopes", "web", "--json", folder=service.folder)
    token = json.loads(created.stdout)["token"]
    headers, body = modern_request("tools/call", {"name": "search_web", "arguments": {"query": QUERY}})
    async with httpx.AsyncClient(base_url=service.url, headers=headers, trust_env=False) as client:
        for given in ({}, {"authorization": "Bearer wrong"}, {"authorization": f"Bearer {token[:-1]}"}):
            refused = await client.post("/mcp", json=body, headers=given)
            assert refused.status_code == 401
            assert refused.headers["www-authenticate"].startswith("Bearer ")
        assert not openai.requests
        answered = await client.post("/mcp", json=body, headers={"authorization": f"Bearer {token}"}, timeout=60)
    assert answered.json()["result"]["structuredContent"]["success"]
    assert token not in str(openai.requests)


@seed("229,512", "A question that takes too long is ended and not asked again")
@seed("199", "A circuit breaker where the provider keeps failing")
async def test_a_slow_or_failing_provider_is_left_alone(start: Start, openai: OpenAiServer) -> None:
    agent = await connect(start(TIMEOUT="3").url)
    openai.always = Answer(hang=True)
    assert_failure(await agent.call("search_web", query=QUERY), "PROVIDER", "timeout", "Provider error")
    assert len(openai.requests) <= 1
    openai.always = error(500)
    results = [await agent.call("search_web", query=f"question {number}") for number in range(6)]
    assert {result["code"] for result in results} == {"PROVIDER"}
    assert results[-1]["error_category"] == "unavailable"
    assert len(openai.requests) <= 10


@seed("77,105,201-203", "The log has a hash of the question, the time, the status and the count, and no question")
async def test_no_question_is_logged(agent: Agent, service: Service, openai: OpenAiServer) -> None:
    for answer in (error(400), Answer()):
        openai.always = answer
        await agent.call("search_web", query=f"{SECRET} {answer.status}")
    log = service.log.read_text(encoding="utf-8")
    assert re.search(r'"web call [0-9a-f]{16}: ok".*"count":2,"duration_ms":\d+', log)
    assert re.search(r'"web call [0-9a-f]{16}: provider".*"status":400.*"provider_request_id":"req_', log)
    for private in (SECRET, "belizereef", "Reefs off Belize", KEY):
        assert private not in log


@pytest.mark.parametrize(("page", "words"), rows(rows_004.DOCUMENTS))
async def test_the_documentation_is_there(page: str, words: str) -> None:
    assert words in (ROOT / "docs" / page).read_text(encoding="utf-8")
