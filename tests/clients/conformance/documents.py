"""Resources and prompts."""

import json

from mcp.server.mcpserver import MCPServer, UserMessage
from mcp.types import Completion, CompletionArgument, CompletionContext, PromptReference, ResourceTemplateReference

from tests.clients.conformance.content import IMAGE, PNG, embedded


def add_resources(server: MCPServer) -> None:
    """Register the resources."""

    @server.resource("test://static-text", mime_type="text/plain")
    def static_text() -> str:
        """Return text."""
        return "This is the content of the static text resource."

    @server.resource("test://static-binary", mime_type="image/png")
    def static_binary() -> bytes:
        """Return an image."""
        return PNG

    @server.resource("test://template/{id}/data", mime_type="application/json")
    def template(id: str) -> str:  # noqa: A002 - the name is the suite's
        """Return an object that names the identifier."""
        return json.dumps({"id": id, "templateTest": True, "data": f"Data for ID: {id}"})

    @server.resource("test://watched-resource", mime_type="text/plain")
    def watched_resource() -> str:
        """Return text that a client can subscribe to."""
        return "Watched resource content"


def add_prompts(server: MCPServer) -> None:
    """Register the prompts and the completion of their arguments."""

    @server.prompt()
    def test_simple_prompt() -> str:
        """Return text."""
        return "This is a simple prompt for testing."

    @server.prompt()
    def test_prompt_with_arguments(arg1: str, arg2: str) -> str:
        """Return text that repeats the arguments."""
        return f"Prompt with arguments: arg1='{arg1}', arg2='{arg2}'"

    @server.prompt()
    def test_prompt_with_embedded_resource(resourceUri: str) -> list[UserMessage]:  # noqa: N803 - the name is the suite's
        """Return a resource and text."""
        resource = embedded(resourceUri, "text/plain", "Embedded resource content for testing.")
        return [UserMessage(resource), UserMessage("Please process the embedded resource above.")]

    @server.prompt()
    def test_prompt_with_image() -> list[UserMessage]:
        """Return an image and text."""
        return [UserMessage(IMAGE), UserMessage("Please analyze the image above.")]

    @server.completion()
    async def complete(
        _reference: PromptReference | ResourceTemplateReference,
        argument: CompletionArgument,
        _context: CompletionContext | None,
    ) -> Completion:
        return Completion(values=[f"{argument.value}ing"], total=1, has_more=False)
