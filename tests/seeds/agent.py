"""An agent: an MCP client over HTTP that checks each result against the schema that the server lists."""

from typing import Any

import jsonschema  # type: ignore[import-untyped] # ships no types
from mcp import Client
from mcp.types import CallToolResult, GetPromptResult, TextContent, Tool


class Agent:
    """Calls one service. Each call connects anew: a client must be closed by the task that opened it."""

    def __init__(self, url: str, tools: dict[str, Tool]) -> None:
        self._url = url
        self.tools = tools

    async def call(self, tool: str, /, **arguments: Any) -> dict[str, Any]:
        """Return the structured result, be it a success or an expected failure; `isError` must be false."""
        result = await self._call(tool, arguments)
        assert not result.is_error, text_of(result)
        structured: dict[str, Any] = result.structured_content or {}
        jsonschema.validate(structured, self.tools[tool].output_schema or {})
        return structured

    async def refusal(self, tool: str, /, **arguments: Any) -> str:
        """Return the message with which a call that breaks the tool's schema is refused."""
        result = await self._call(tool, arguments)
        assert result.is_error
        return text_of(result)

    async def text(self, tool: str, /, **arguments: Any) -> str:
        """Return the result as clients see it that read only text."""
        return text_of(await self._call(tool, arguments))

    async def prompt(self, name: str, **arguments: str) -> GetPromptResult:
        async with Client(self._url) as client:
            return await client.get_prompt(name, arguments)

    async def resource(self, uri: str) -> str:
        async with Client(self._url) as client:
            (contents,) = (await client.read_resource(uri)).contents
        text: str = contents.text  # type: ignore[union-attr] # all of Trawl's resources are text
        return text

    def arguments(self, tool: str) -> dict[str, Any]:
        """Return the schema of each argument as it is listed."""
        properties: dict[str, Any] = self.tools[tool].input_schema["properties"]
        return properties

    def required(self, tool: str) -> set[str]:
        return set(self.tools[tool].input_schema.get("required", ()))

    async def _call(self, tool: str, arguments: dict[str, Any]) -> CallToolResult:
        async with Client(self._url) as client:
            return await client.call_tool(tool, arguments)


def text_of(result: CallToolResult) -> str:
    (content,) = result.content
    assert isinstance(content, TextContent)
    return content.text


async def connect(url: str) -> Agent:
    """Return an agent of the service at this address, with the tools that it lists."""
    async with Client(f"{url}/mcp") as client:
        listed = await client.list_tools()
    return Agent(f"{url}/mcp", {tool.name: tool for tool in listed.tools})
