"""What an answer cost, whether it can be read or not."""

from collections.abc import Mapping

from mcp_server.features.web.provider.reading import Object, searches
from mcp_server.features.web.results import Usage
from mcp_server.features.web.settings import WebSettings


def usage(answer: Object) -> Usage | None:
    """Return the tokens that an answer took, where it says so."""
    told = answer.get("usage")
    if not isinstance(told, Mapping):
        return None
    prompt, response = told.get("input_tokens"), told.get("output_tokens")
    if not isinstance(prompt, int) or not isinstance(response, int):
        return None
    return Usage(promptTokens=prompt, responseTokens=response)


def amounts(answer: Object, settings: WebSettings) -> dict[str, int]:
    """Return what is counted of an answer: tokens, searches and, by the prices in the settings, cost."""
    tokens = usage(answer) or Usage(promptTokens=0, responseTokens=0)
    searched = searches(answer)
    # A dollar for a million tokens is a microdollar for each; one for a thousand searches is a thousand for each.
    microdollars = (
        tokens["promptTokens"] * settings.input_price
        + tokens["responseTokens"] * settings.output_price
        + searched * settings.search_price * 1_000
    )
    return {
        "prompt_tokens": tokens["promptTokens"],
        "response_tokens": tokens["responseTokens"],
        "tokens": tokens["promptTokens"] + tokens["responseTokens"],
        "searches": searched,
        "microdollars": round(microdollars),
    }
