"""The parser of HTML pages."""

from workers.parsers.html.page import parse

__all__ = ["parse"]
