"""Explains a document's score in one line."""

import json
import re
from typing import Any, Final

from tantivy import DocAddress, Query, Searcher

_TERM: Final = re.compile(r'"(?P<term>.*)"\)\s*\Z', re.DOTALL)
_PART_NAMES: Final = (("TermQuery", "word"), ("Phrase", "phrase"), ("Const", "constant"), ("AllQuery", "constant"))


def explain(query: Query, searcher: Searcher, address: DocAddress) -> str:
    """Return the score as a sum of parts, each with its word, its idf and its term frequency."""
    return _render(json.loads(query.explain(searcher, address).to_json()))


def _render(node: dict[str, Any]) -> str:
    description = str(node["description"])
    details = node.get("details", [])
    score = f"{node['value']:.4g}"
    if description.startswith("BooleanClause"):
        parts = [_render(part) for part in details if part["value"]]
        return parts[0] if len(parts) == 1 else f"{score} = sum of [{'; '.join(parts)}]"
    if description.startswith("Phrase") and details:
        return f"{score} phrase{_factors(details[0])}"
    name = next((name for start, name in _PART_NAMES if description.startswith(start)), "part")
    return f"{score} {name}{_term(node)}{_factors(node)}"


def _term(node: dict[str, Any]) -> str:
    match = _TERM.search(" ".join(node.get("context", [])))
    return f" '{match['term']}'" if match else ""


def _factors(node: dict[str, Any]) -> str:
    labels = {"idf": "idf", "freq": "tf"}
    factors = [
        f"{labels[start]} {part['value']:.4g}"
        for part in node.get("details", [])
        if (start := re.split(r"\W", part["description"], maxsplit=1)[0]) in labels
    ]
    return f" ({', '.join(factors)})" if factors else ""
