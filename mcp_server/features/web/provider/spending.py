"""The usage and cost of a response, which are counted even if the response is unusable."""

from collections.abc import Mapping

from mcp_server.features.web.provider.response import Object, count_searches
from mcp_server.features.web.results import Usage
from mcp_server.features.web.settings import WebSettings


def token_usage(response: Object) -> Usage | None:
    """Return the tokens that a response reports; None where it reports none."""
    reported = response.get("usage")
    if not isinstance(reported, Mapping):
        return None
    prompt_tokens, response_tokens = reported.get("input_tokens"), reported.get("output_tokens")
    if not isinstance(prompt_tokens, int) or not isinstance(response_tokens, int):
        return None
    return Usage(promptTokens=prompt_tokens, responseTokens=response_tokens)


def billed_usage(response: Object, settings: WebSettings) -> dict[str, int]:
    """Return the tokens, the searches and, by the prices in the settings, the cost of a response."""
    tokens = token_usage(response) or Usage(promptTokens=0, responseTokens=0)
    searches = count_searches(response)
    # A dollar per million tokens is 1 microdollar per token; a dollar per thousand searches is 1,000 per search.
    microdollars = (
        tokens["promptTokens"] * settings.input_price
        + tokens["responseTokens"] * settings.output_price
        + searches * settings.search_price * 1_000
    )
    return {
        "prompt_tokens": tokens["promptTokens"],
        "response_tokens": tokens["responseTokens"],
        "tokens": tokens["promptTokens"] + tokens["responseTokens"],
        "searches": searches,
        "microdollars": round(microdollars),
    }
