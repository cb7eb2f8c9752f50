"""What OpenAI's Responses endpoint refuses, with the shapes of its errors."""

import re
from collections.abc import Iterable, Sequence
from typing import Any

PARAMETERS: dict[str, tuple[type, ...]] = {
    "background": (bool,),
    "conversation": (str, dict),
    "include": (list,),
    "input": (str, list),
    "instructions": (str,),
    "max_output_tokens": (int,),
    "max_tool_calls": (int,),
    "metadata": (dict,),
    "model": (str,),
    "parallel_tool_calls": (bool,),
    "previous_response_id": (str,),
    "prompt": (dict,),
    "prompt_cache_key": (str,),
    "prompt_cache_retention": (str,),
    "reasoning": (dict,),
    "safety_identifier": (str,),
    "service_tier": (str,),
    "store": (bool,),
    "stream": (bool,),
    "temperature": (int, float),
    "text": (dict,),
    "tool_choice": (str, dict),
    "tools": (list,),
    "top_logprobs": (int,),
    "top_p": (int, float),
    "truncation": (str,),
    "user": (str,),
}
INCLUDABLE = (
    "file_search_call.results",
    "web_search_call.results",
    "web_search_call.action.sources",
    "message.input_image.image_url",
    "computer_call_output.output.image_url",
    "code_interpreter_call.outputs",
    "reasoning.encrypted_content",
    "message.output_text.logprobs",
)
SEARCH = ("web_search", "web_search_2025_08_26")
PREVIEW = ("web_search_preview", "web_search_preview_2025_03_11")
TOOL_KEYS = {
    **dict.fromkeys(SEARCH, ("type", "filters", "search_context_size", "user_location", "external_web_access")),
    **dict.fromkeys(PREVIEW, ("type", "search_context_size", "user_location", "search_content_types")),
}
LOCATION_KEYS = {"type", "city", "country", "region", "timezone"}
REASONING_KEYS = {"effort", "summary", "generate_summary", "context", "mode"}
LEAST_OUTPUT_TOKENS = 16
MOST_DOMAINS = 100
REASONING = re.compile(r"gpt-5|o\d")
OTHERS = re.compile(r"gpt-4|gpt-3\.5")


class Refused(Exception):
    """A request that the endpoint answers with an error object."""

    def __init__(
        self,
        message: str,
        param: str | None = None,
        code: str | None = None,
        *,
        status: int = 400,
        kind: str = "invalid_request_error",
    ) -> None:
        super().__init__(message)
        self.status = status
        self.body = {"error": {"message": message, "type": kind, "param": param, "code": code}}


def check_request(body: Any) -> None:
    """Refuse a body as the endpoint would."""
    if not isinstance(body, dict):
        raise Refused("We could not parse the JSON body of your request.")
    _known(body, PARAMETERS, "")
    for name in ("model", "input"):
        if name not in body:
            raise Refused(f"Missing required parameter: '{name}'.", name, "missing_required_parameter")
    for name, value in body.items():
        _typed(name, value, PARAMETERS[name])
    reasons = REASONING.match(body["model"]) is not None
    if not reasons and OTHERS.match(body["model"]) is None:
        raise Refused(f"The requested model '{body['model']}' does not exist.", "model", "model_not_found")
    _check_input(body["input"])
    _check_include(body.get("include", []))
    _check_number("max_output_tokens", body.get("max_output_tokens", LEAST_OUTPUT_TOKENS), LEAST_OUTPUT_TOKENS)
    _check_number("max_tool_calls", body.get("max_tool_calls", 1), 1)
    if reasons:
        _check_sampling(body)
    tools = body.get("tools", [])
    for number, tool in enumerate(tools):
        _check_tool(f"tools[{number}]", tool)
    _check_reasoning(body, tools, reasons=reasons)
    _check_choice(body.get("tool_choice", "auto"), tools)
    if body.get("stream"):
        raise Refused("Streaming is not what these tests are about.", "stream", "unsupported_value")


def _known(given: Iterable[str], known: Iterable[str], path: str) -> None:
    for name in given:
        if name not in known:
            raise Refused(f"Unknown parameter: '{path}{name}'.", f"{path}{name}", "unknown_parameter")


def _typed(name: str, value: Any, types: tuple[type, ...]) -> None:
    if not isinstance(value, types) or (isinstance(value, bool) and bool not in types):
        expected = " or ".join(each.__name__ for each in types)
        message = f"Invalid type for '{name}': expected {expected}, but got {type(value).__name__} instead."
        raise Refused(message, name, "invalid_type")


def _one_of(name: str, value: Any, allowed: Sequence[str]) -> None:
    if value not in allowed:
        supported = ", ".join(f"'{each}'" for each in allowed)
        message = f"Invalid value: '{value}'. Supported values are: {supported}."
        raise Refused(message, name, "invalid_value")


def _check_number(name: str, value: int, least: int) -> None:
    if value < least:
        message = (
            f"Invalid '{name}': integer below minimum value. Expected a value >= {least}, but got {value} instead."
        )
        raise Refused(message, name, "integer_below_min_value")


def _check_sampling(body: dict[str, Any]) -> None:
    for name in ("temperature", "top_p"):
        if name in body:
            # The gpt-5 family leaves the code out, the o-series gives it.
            code = None if body["model"].startswith("gpt-5") else "unsupported_parameter"
            raise Refused(f"Unsupported parameter: '{name}' is not supported with this model.", name, code)


def _check_input(given: Any) -> None:
    if isinstance(given, str):
        return
    for number, item in enumerate(given):
        path = f"input[{number}]"
        _typed(path, item, (dict,))
        _known(item, {"role", "content", "type"}, f"{path}.")
        _one_of(f"{path}.role", item.get("role"), ("user", "system", "developer", "assistant"))
        _typed(f"{path}.content", item.get("content"), (str, list))
        for place, part in enumerate(item["content"] if isinstance(item["content"], list) else []):
            _typed(f"{path}.content[{place}]", part, (dict,))
            _known(part, {"type", "text"}, f"{path}.content[{place}].")
            _one_of(f"{path}.content[{place}].type", part.get("type"), ("input_text",))
            _typed(f"{path}.content[{place}].text", part.get("text"), (str,))


def _check_include(given: list[Any]) -> None:
    for number, value in enumerate(given):
        _one_of(f"include[{number}]", value, INCLUDABLE)


def _check_tool(path: str, tool: Any) -> None:
    _typed(path, tool, (dict,))
    if "type" not in tool:
        raise Refused(f"Missing required parameter: '{path}.type'.", f"{path}.type", "missing_required_parameter")
    _one_of(f"{path}.type", tool["type"], tuple(TOOL_KEYS))
    _known(tool, TOOL_KEYS[tool["type"]], f"{path}.")
    if "search_context_size" in tool:
        _one_of(f"{path}.search_context_size", tool["search_context_size"], ("low", "medium", "high"))
    if "external_web_access" in tool:
        _typed(f"{path}.external_web_access", tool["external_web_access"], (bool,))
    if tool.get("filters") is not None:
        _check_filters(f"{path}.filters", tool["filters"])
    if tool.get("user_location") is not None:
        _check_location(f"{path}.user_location", tool["user_location"])


def _check_filters(path: str, filters: Any) -> None:
    _typed(path, filters, (dict,))
    _known(filters, {"allowed_domains"}, f"{path}.")
    name = f"{path}.allowed_domains"
    if "allowed_domains" not in filters:
        raise Refused(f"Missing required parameter: '{name}'.", name, "missing_required_parameter")
    _typed(name, filters["allowed_domains"], (list,))
    if len(filters["allowed_domains"]) > MOST_DOMAINS:
        message = f"Invalid '{name}': array too long. Expected an array with maximum length {MOST_DOMAINS}."
        raise Refused(message, name, "array_above_max_length")
    for number, domain in enumerate(filters["allowed_domains"]):
        _typed(f"{name}[{number}]", domain, (str,))


def _check_location(path: str, location: Any) -> None:
    _typed(path, location, (dict,))
    if "type" not in location:
        raise Refused(f"Missing required parameter: '{path}.type'.", f"{path}.type", "missing_required_parameter")
    _one_of(f"{path}.type", location["type"], ("approximate",))
    _known(location, LOCATION_KEYS, f"{path}.")
    for name, value in location.items():
        _typed(f"{path}.{name}", value, (str,))
    country = location.get("country")
    if country is not None and re.fullmatch("[A-Z]{2}", country) is None:
        message = f"Invalid '{path}.country': expected an ISO 3166-1 alpha-2 country code."
        raise Refused(message, f"{path}.country", "invalid_value")


def _check_reasoning(body: dict[str, Any], tools: Sequence[dict[str, Any]], *, reasons: bool) -> None:
    if "reasoning" not in body:
        return
    _known(body["reasoning"], REASONING_KEYS, "reasoning.")
    if not reasons:
        message = "Unsupported parameter: 'reasoning.effort' is not supported with this model."
        raise Refused(message, "reasoning.effort", "unsupported_parameter")
    effort = body["reasoning"].get("effort")
    if effort is None:
        return
    _one_of("reasoning.effort", effort, efforts(body["model"]))
    if effort == "minimal" and tools:
        names = ", ".join(tool["type"] for tool in tools)
        raise Refused(f"The following tools cannot be used with reasoning.effort 'minimal': {names}.", "tools")


def efforts(model: str) -> tuple[str, ...]:
    """Say how hard a model can be told to think."""
    if model.startswith("gpt-5."):
        return ("none", "low", "medium", "high", "xhigh")
    return ("minimal", "low", "medium", "high") if model.startswith("gpt-5") else ("low", "medium", "high")


def _check_choice(choice: Any, tools: Sequence[dict[str, Any]]) -> None:
    if isinstance(choice, str):
        _one_of("tool_choice", choice, ("none", "auto", "required"))
        return
    _known(choice, {"type", "mode", "tools"}, "tool_choice.")
    if choice.get("type") not in {tool["type"] for tool in tools}:
        raise Refused(f"Tool choice '{choice.get('type')}' not found in 'tools' parameter.", "tool_choice")
