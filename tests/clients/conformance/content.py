"""Tools that answer with one of each kind of content, and a tool for each kind of argument."""

import base64
from typing import Annotated, Final

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.tools import Tool
from mcp.types import AudioContent, ContentBlock, EmbeddedResource, ImageContent, TextContent, TextResourceContents
from pydantic import Field

PNG: Final = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=="
)
# A header that announces no samples.
WAV: Final = b"RIFF\x24\0\0\0WAVEfmt \x10\0\0\0\1\0\1\0\x40\x1f\0\0\x80\x3e\0\0\2\0\x10\0data\0\0\0\0"
IMAGE: Final = ImageContent(type="image", data=base64.b64encode(PNG).decode(), mime_type="image/png")

_SCHEMA: Final = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "$defs": {
        "address": {
            "$anchor": "addressDef",
            "type": "object",
            "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
        }
    },
    "properties": {
        "name": {"type": "string"},
        "address": {"$ref": "#/$defs/address"},
        "contactMethod": {"type": "string", "enum": ["phone", "email"]},
        "phone": {"type": "string"},
        "email": {"type": "string"},
    },
    "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
    "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
    "then": {"required": ["phone"]},
    "else": {"required": ["email"]},
    "additionalProperties": False,
}


def embedded(uri: str, media_type: str, text: str) -> EmbeddedResource:
    return EmbeddedResource(type="resource", resource=TextResourceContents(uri=uri, mime_type=media_type, text=text))


def add_content(server: MCPServer) -> None:
    """Register the tools."""

    @server.tool(structured_output=False)
    def test_simple_text() -> str:
        """Answer with text."""
        return "This is a simple text response for testing."

    @server.tool()
    def test_image_content() -> list[ContentBlock]:
        """Answer with an image."""
        return [IMAGE]

    @server.tool()
    def test_audio_content() -> list[ContentBlock]:
        """Answer with a sound."""
        return [AudioContent(type="audio", data=base64.b64encode(WAV).decode(), mime_type="audio/wav")]

    @server.tool()
    def test_embedded_resource() -> list[ContentBlock]:
        """Answer with a resource."""
        return [embedded("test://embedded-resource", "text/plain", "This is an embedded resource content.")]

    @server.tool()
    def test_multiple_content_types() -> list[ContentBlock]:
        """Answer with text, an image and a resource."""
        return [
            TextContent(type="text", text="Multiple content types test:"),
            IMAGE,
            embedded("test://mixed-content-resource", "application/json", '{"test":"data","value":123}'),
        ]

    @server.tool(structured_output=False)
    def test_error_handling() -> str:
        """Fail."""
        raise ValueError("This tool intentionally returns an error for testing")

    @server.tool(structured_output=False)
    def test_header_argument(region: Annotated[str, Field(json_schema_extra={"x-mcp-header": "Region"})]) -> str:
        """Take an argument that stands in a header too."""
        return region


def schema_tool() -> Tool:
    """Return a tool whose arguments are described with every keyword that must survive the listing."""

    def json_schema_2020_12_tool() -> str:
        """Describe arguments with JSON Schema 2020-12."""
        return "JSON Schema 2020-12"

    return Tool.from_function(json_schema_2020_12_tool, structured_output=False).model_copy(
        update={"parameters": _SCHEMA}
    )
