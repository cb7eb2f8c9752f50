"""The section `searches` of the connections: whether a team keeps the words of searches without results."""

from typing import Final

from pydantic import BaseModel, ConfigDict

from indexer.connections.section import Section


class SearchSettings(BaseModel):
    """What is kept of a team's searches besides their number."""

    model_config = ConfigDict(frozen=True, strict=True, hide_input_in_errors=True)

    keep_words: bool = False
    """Whether the words of searches without results are kept."""


SEARCHES: Final = Section("searches", SearchSettings)
