"""The parser of Markdown files."""

from workers.parsers.markdown.blocks import parse

__all__ = ["parse"]
