"""Why a document has its score, in one line."""

import json
import re
from typing import Any, Final

from tantivy import DocAddress, Query, Searcher

_TERM: Final = re.compile(r'"(?P<term>.*)"\)\s*\Z', re.DOTALL)
_NAMES: Final = (("TermQuery", "word"), ("Phrase", "phrase"), ("Const", "constant"), ("AllQuery", "constant"))


def explained(query: Query, searcher: Searcher, address: DocAddress) -> str:
    """Return the sum that made the score, each part with its word, its idf and its term frequency."""
    return _rendered(json.loads(query.explain(searcher, address).to_json()))


def _rendered(node: dict[str, Any]) -> str:
    description = str(node["description"])
    details = node.get("details", [])
    score = f"{node['value']:.4g}"
    if description.startswith("BooleanClause"):
        parts = [_rendered(part) for part in details if part["value"]]
        return parts[0] if len(parts) == 1 else f"{score} = sum of [{'; '.join(parts)}]"
    if description.startswith("Phrase") and details:
        return f"{score} phrase{_factors(details[0])}"
    name = next((name for start, name in _NAMES if description.startswith(start)), "part")
    return f"{score} {name}{_term(node)}{_factors(node)}"


def _term(node: dict[str, Any]) -> str:
    found = _TERM.search(" ".join(node.get("context", [])))
    return f" '{found['term']}'" if found else ""


def _factors(node: dict[str, Any]) -> str:
    named = {"idf": "idf", "freq": "tf"}
    factors = [
        f"{named[start]} {part['value']:.4g}"
        for part in node.get("details", [])
        if (start := re.split(r"\W", part["description"], maxsplit=1)[0]) in named
    ]
    return f" ({', '.join(factors)})" if factors else ""
