"""The MCP prompts of the features."""

from collections.abc import Mapping
from typing import Final

from mcp.shared.exceptions import MCPError
from mcp.types import INVALID_PARAMS, GetPromptResult, PromptMessage, TextContent
from mcp.types import Prompt as ListedPrompt
from mcp.types import PromptArgument as ListedArgument

from indexer.text.clean import clean_text
from mcp_server.feature import Completer, Prompt
from mcp_server.protocol.refusal import describe_unknown
from mcp_server.services import Services

_MAX_ARGUMENT_CHARS: Final = 2_000
_MAX_PROBLEMS: Final = 10


class Prompts:
    """The prompts of all features that offer at least one operation, and all those that the prompt uses."""

    def __init__(self, services: Services) -> None:
        offers = services.selection.offers
        self._prompts = {
            prompt.name: prompt
            for feature in services.features
            if any(map(offers, feature.operations))
            for prompt in feature.prompts
            if all(map(offers, prompt.uses))
        }

    def listed(self) -> list[ListedPrompt]:
        return [
            ListedPrompt(
                name=each.name,
                title=each.title,
                description=each.description,
                arguments=[
                    ListedArgument(name=argument.name, description=argument.description, required=True)
                    for argument in each.arguments
                ],
            )
            for each in self._prompts.values()
        ]

    def get(self, name: str, arguments: Mapping[str, str]) -> GetPromptResult:
        """Return a prompt with its arguments filled in."""
        prompt = self._find(name)
        text = prompt.text(_checked(prompt, arguments))
        message = PromptMessage(role="user", content=TextContent(type="text", text=text))
        return GetPromptResult(description=prompt.description, messages=[message])

    def completers(self, name: str) -> dict[str, Completer | None]:
        """Return how each argument of a prompt is completed."""
        return {argument.name: argument.completer for argument in self._find(name).arguments}

    def _find(self, name: str) -> Prompt:
        """Return the prompt; the error for an unknown name lists the known ones and does not repeat it."""
        prompt = self._prompts.get(name)
        if prompt is None:
            names = ", ".join(self._prompts) or "none"
            raise MCPError(code=INVALID_PARAMS, message=f"Unknown prompt: there are {names}")
        return prompt


def _checked(prompt: Prompt, arguments: Mapping[str, str]) -> dict[str, str]:
    """Return the arguments without control characters; an error names each wrong one, never its value."""
    names = [argument.name for argument in prompt.arguments]
    unknown = [name for name in arguments if name not in names]
    problems = [describe_unknown(name, names) for name in unknown[:_MAX_PROBLEMS]]
    values = {name: clean_text(arguments.get(name, "")).strip() for name in names}
    problems += [f"{name}: is required" for name, value in values.items() if not value]
    problems += [
        f"{name}: has over {_MAX_ARGUMENT_CHARS:,} characters"
        for name, value in values.items()
        if len(value) > _MAX_ARGUMENT_CHARS
    ]
    if problems:
        message = f"Invalid arguments for the prompt {prompt.name}: {'; '.join(problems)}"
        raise MCPError(code=INVALID_PARAMS, message=message)
    return values
