"""Tools that ask the caller during the call, as servers do until revision 2025-11-25."""

from typing import Any, Final

from mcp.server.mcpserver import Context, MCPServer
from mcp.types import ElicitResult, SamplingMessage, TextContent

ASKING: Final = frozenset(
    {"test_sampling", "test_elicitation", "test_elicitation_sep1034_defaults", "test_elicitation_sep1330_enums"}
)
_OPTIONS: Final = ["option1", "option2", "option3"]
_VALUES: Final = {"value1": "First Option", "value2": "Second Option", "value3": "Third Option"}
_TITLED: Final = [{"const": value, "title": title} for value, title in _VALUES.items()]
_TEXT: Final = {"type": "string"}

_DEFAULTS: Final = {
    "name": {"type": "string", "default": "John Doe"},
    "age": {"type": "integer", "default": 30},
    "score": {"type": "number", "default": 95.5},
    "status": {"type": "string", "enum": ["active", "inactive", "pending"], "default": "active"},
    "verified": {"type": "boolean", "default": True},
}
_ENUMS: Final = {
    "untitledSingle": {"type": "string", "enum": _OPTIONS},
    "titledSingle": {"type": "string", "oneOf": _TITLED},
    "legacyEnum": {
        "type": "string",
        "enum": ["opt1", "opt2", "opt3"],
        "enumNames": ["Option One", "Option Two", "Option Three"],
    },
    "untitledMulti": {"type": "array", "items": {"type": "string", "enum": _OPTIONS}},
    "titledMulti": {"type": "array", "items": {"anyOf": _TITLED}},
}


def add_client_requests(server: MCPServer) -> None:
    """Register the tools."""

    @server.tool(structured_output=False)
    async def test_sampling(prompt: str, ctx: Context) -> str:
        """Ask the caller's model."""
        message = SamplingMessage(role="user", content=TextContent(type="text", text=prompt))
        response = await ctx.session.create_message([message], max_tokens=100, related_request_id=ctx.request_id)
        assert isinstance(response.content, TextContent)
        return f"LLM response: {response.content.text}"

    @server.tool(structured_output=False)
    async def test_elicitation(message: str, ctx: Context) -> str:
        """Ask for a name and an address."""
        response = await _ask(ctx, message, {"username": _TEXT, "email": _TEXT}, required=["username", "email"])
        return f"User response: {response.action}, {response.content}"

    @server.tool(structured_output=False)
    async def test_elicitation_sep1034_defaults(ctx: Context) -> str:
        """Ask with a default for each kind of value."""
        response = await _ask(ctx, "Please check these values", _DEFAULTS)
        return f"Elicitation completed: action={response.action}, content={response.content}"

    @server.tool(structured_output=False)
    async def test_elicitation_sep1330_enums(ctx: Context) -> str:
        """Ask with each kind of choice."""
        response = await _ask(ctx, "Please choose", _ENUMS)
        return f"Elicitation completed: action={response.action}, content={response.content}"


async def _ask(
    ctx: Context, message: str, properties: dict[str, Any], *, required: list[str] | None = None
) -> ElicitResult:
    schema = {"type": "object", "properties": properties, "required": required or []}
    return await ctx.session.elicit_form(message, schema, ctx.request_id)
