"""The MCP prompts of the features."""

from mcp.shared.exceptions import MCPError
from mcp.types import INVALID_PARAMS, GetPromptResult, PromptMessage, TextContent
from mcp.types import Prompt as ListedPrompt

from mcp_server.services import Services


class Prompts:
    """The prompts of all features that offer at least one operation."""

    def __init__(self, services: Services) -> None:
        self._prompts = {
            prompt.name: prompt
            for feature in services.features
            if any(services.selection.offers(operation) for operation in feature.operations)
            for prompt in feature.prompts
        }

    def listed(self) -> list[ListedPrompt]:
        return [
            ListedPrompt(name=each.name, title=each.title, description=each.description, arguments=[])
            for each in self._prompts.values()
        ]

    def get(self, name: str) -> GetPromptResult:
        """Return a prompt; the error for an unknown name lists the known ones and does not repeat it."""
        prompt = self._prompts.get(name)
        if prompt is None:
            names = ", ".join(self._prompts) or "none"
            raise MCPError(code=INVALID_PARAMS, message=f"Unknown prompt: there are {names}")
        message = PromptMessage(role="user", content=TextContent(type="text", text=prompt.text()))
        return GetPromptResult(description=prompt.description, messages=[message])
