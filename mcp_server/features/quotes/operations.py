"""The operation that finds quotations."""

from typing import Final

from mcp_server.effect import READ
from mcp_server.features.quotes.arguments import QuoteFind
from mcp_server.features.quotes.results import QuotesResult
from mcp_server.features.quotes.service import find_quotes
from mcp_server.features.quotes.text import quotes_text
from mcp_server.operation import Group, Operation
from mcp_server.route import Route

_GROUP: Final = Group("quotes", "", reads="search", changes="search")

FIND: Final = Operation(
    name="quote_find",
    title="Find a quote",
    description="Find the documents and places where a sentence or passage stands; some of its words may differ.",
    group=_GROUP,
    effect=READ,
    arguments=QuoteFind,
    result=QuotesResult,
    handler=find_quotes,
    route=Route("POST", "/api/v1/quotes"),
    text=quotes_text,
)
