"""Tools and a prompt that ask the caller by an unfinished result, as servers do since revision 2026-07-28."""

from typing import Any, Final

from mcp.server.mcpserver import Context, MCPServer
from mcp.shared.exceptions import MCPError
from mcp.types import (
    MISSING_REQUIRED_CLIENT_CAPABILITY,
    CreateMessageRequest,
    CreateMessageRequestParams,
    CreateMessageResult,
    ElicitRequest,
    ElicitRequestFormParams,
    ElicitResult,
    InputRequest,
    InputRequiredResult,
    ListRootsRequest,
    ListRootsResult,
    SamplingMessage,
    TextContent,
)

Answer = str | InputRequiredResult


def form(message: str, field: str, kind: str = "string") -> ElicitRequest:
    schema: dict[str, Any] = {"type": "object", "properties": {field: {"type": kind}}, "required": [field]}
    return ElicitRequest(params=ElicitRequestFormParams(message=message, requested_schema=schema))


def sample(question: str) -> CreateMessageRequest:
    message = SamplingMessage(role="user", content=TextContent(type="text", text=question))
    return CreateMessageRequest(params=CreateMessageRequestParams(messages=[message], max_tokens=100))


NAME: Final = form("What is your name?", "name")
CONFIRMATION: Final = form("Please confirm", "ok", "boolean")


def ask(requests: dict[str, InputRequest], state: str | None = None) -> InputRequiredResult:
    return InputRequiredResult(input_requests=requests, request_state=state)


def filled_in(ctx: Context, key: str, field: str) -> Any:
    """Return what the caller has filled in; None where it has not."""
    response = (ctx.input_responses or {}).get(key)
    return (response.content or {}).get(field) if isinstance(response, ElicitResult) else None


def add_input_required(server: MCPServer) -> None:
    """Register the tools and the prompt."""

    @server.tool(structured_output=False)
    async def test_input_required_result_elicitation(ctx: Context) -> Answer:
        """Ask for a name."""
        name = filled_in(ctx, "user_name", "name")
        return f"Hello, {name}!" if isinstance(name, str) else ask({"user_name": NAME})

    @server.tool(structured_output=False)
    async def test_input_required_result_sampling(ctx: Context) -> Answer:
        """Ask the caller's model."""
        response = (ctx.input_responses or {}).get("capital_question")
        if isinstance(response, CreateMessageResult) and isinstance(response.content, TextContent):
            return response.content.text
        return ask({"capital_question": sample("What is the capital of France?")})

    @server.tool(structured_output=False)
    async def test_input_required_result_list_roots(ctx: Context) -> Answer:
        """Ask for the caller's folders."""
        response = (ctx.input_responses or {}).get("client_roots")
        if isinstance(response, ListRootsResult):
            return ", ".join(str(root.uri) for root in response.roots)
        return ask({"client_roots": ListRootsRequest()})

    @server.tool(structured_output=False)
    async def test_input_required_result_request_state(ctx: Context) -> Answer:
        """Ask, and recognise the state that comes back."""
        return "state-ok" if ctx.request_state == "asked" else ask({"confirm": CONFIRMATION}, "asked")

    @server.tool(structured_output=False)
    async def test_input_required_result_tampered_state(ctx: Context) -> Answer:
        """Ask with a state that nobody may change."""
        return "confirmed" if ctx.request_state == "untouched" else ask({"confirm": CONFIRMATION}, "untouched")

    @server.tool(structured_output=False)
    async def test_input_required_result_multiple_inputs(ctx: Context) -> Answer:
        """Ask for three things at once."""
        asked: dict[str, InputRequest] = {
            "user_name": NAME,
            "greeting": sample("Generate a greeting"),
            "client_roots": ListRootsRequest(),
        }
        return "complete" if (ctx.input_responses or {}).keys() >= asked.keys() else ask(asked, "three")

    @server.tool(structured_output=False)
    async def test_input_required_result_multi_round(ctx: Context) -> Answer:
        """Ask twice, one after the other."""
        match ctx.request_state:
            case "first":
                return ask({"step2": form("Step 2: What is your favorite color?", "color")}, "second")
            case "second":
                return f"The color is {filled_in(ctx, 'step2', 'color')}"
            case _:
                return ask({"step1": form("Step 1: What is your name?", "name")}, "first")

    @server.tool(structured_output=False)
    async def test_input_required_result_capabilities(ctx: Context) -> Answer:
        """Ask only what the caller can answer."""
        able = ctx.client_capabilities
        asked: dict[str, InputRequest] = {}
        if able is not None and able.sampling is not None:
            asked["question"] = sample("What is the capital of France?")
        if able is not None and able.elicitation is not None:
            asked["user_name"] = NAME
        return ask(asked, "asked")

    @server.tool(structured_output=False)
    async def test_missing_capability(ctx: Context) -> str:
        """Serve only callers with a model."""
        able = ctx.client_capabilities
        if able is None or able.sampling is None:
            missing = {"requiredCapabilities": {"sampling": {}}}
            raise MCPError(code=MISSING_REQUIRED_CLIENT_CAPABILITY, message="sampling is needed", data=missing)
        return "The caller has a model"

    @server.prompt()
    async def test_input_required_result_prompt(ctx: Context) -> Answer:
        """Ask for the context of the prompt."""
        context = filled_in(ctx, "user_context", "context")
        asked = form("What context should the prompt use?", "context")
        return f"Use this context: {context}" if isinstance(context, str) else ask({"user_context": asked})
