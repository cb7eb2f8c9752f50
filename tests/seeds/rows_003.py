"""The files, arguments, failures and deviations of the document on the archive."""

from typing import Any

from tests.seeds.requirements import Deviation

REQUIRED = object()
"""The default of an argument that has none."""
INTRO = "research-archive/2025-05-20/machine_learning_intro.md"
ALGORITHMS = "research-archive/2025-05-20/ml_algorithms.md"
EXAMPLE_CALL = {"query": "machine learning", "fuzzy": True, "includeCitations": True, "limit": 5}
FILES = {
    INTRO: """\
# Introduction to Machine Learning

Machine learning is a subset of artificial intelligence...

For more information on ML algorithms, see [this resource](https://example.com/ml-algorithms).
""",
    ALGORITHMS: """\
---
title: Machine Learning Algorithms
canonical_url: https://example.com/ml-algorithms
---

Trees, forests and networks. They all rest on [descent](descent.md).
""",
    "research-archive/2025-05-20/descent.md": "# Descent\n\nDownhill, by way of [calculus](calculus.md).\n",
    "research-archive/2025-05-20/calculus.md": "# Calculus\n\nOf what is infinitely small.\n",
    **{f"research-archive/plankton/{number}.txt": f"Plankton of station {number}" for number in range(55)},
}
"""What the searches are tried on, by path."""
ARGUMENTS: list[tuple[str, str, str, dict[str, Any]]] = [
    ("52-55,81", "query: string, required", "query", {"type": "string", "default": REQUIRED}),
    ("56-60", "fuzzy: boolean, true by default", "fuzzy", {"type": "boolean", "default": True}),
    ("61-65", "includeCitations: boolean, false by default", "includeCitations", {"type": "boolean", "default": False}),
    (
        "66-72",
        "citationDepth: integer from 1 to 3, 1 by default",
        "citationDepth",
        {"type": "integer", "default": 1, "minimum": 1, "maximum": 3},
    ),
    (
        "73-79",
        "limit: integer from 1 to 50, 10 by default",
        "limit",
        {"type": "integer", "default": 10, "minimum": 1, "maximum": 50},
    ),
]
REFUSED: list[tuple[str, str, str, Any]] = [
    ("81", "query is required", "query", None),
    ("57", "fuzzy is a boolean", "fuzzy", ["x"]),
    ("62", "includeCitations is a boolean", "includeCitations", ["x"]),
    ("67", "citationDepth is an integer", "citationDepth", 1.5),
    ("74", "limit is an integer", "limit", 1.5),
    ("70", "citationDepth is at least 1", "citationDepth", 0),
    ("71", "citationDepth is at most 3", "citationDepth", 4),
    ("77", "limit is at least 1", "limit", 0),
    ("78", "limit is at most 50", "limit", 51),
]
FAILURES: list[tuple[str, str, dict[str, Any], str, str]] = [
    (
        "123,270",
        "Failed to search local archives: …, for an unknown filter",
        {"query": "sea", "filters": {"auther": "Ada"}},
        "Unknown ",
        "validation",
    ),
    (
        "123,263,270",
        "Failed to search local archives: …, for a query of too many clauses",
        {"query": "sea " * 100},
        "",
        "validation",
    ),
    (
        "123,263,270",
        "Failed to search local archives: …, for a cursor that is none",
        {"query": "sea", "cursor": "made-up"},
        "",
        "validation",
    ),
]
DEVIATIONS = [
    Deviation(
        "18-32,166-175",
        "TypeScript in src/src/tools, imported by src/src/server.ts",
        "Trawl is written in Python: mcp_server/features/archives declares the tool, indexer/archives searches",
    ),
    Deviation(
        "41,276,278",
        "SEARCH_DB_PATH names a SQLite database",
        "TRAWL_DATA_DIR names the data folder of the embedded engine; on OpenSearch the indices are on the cluster",
    ),
    Deviation(
        "103",
        "No citationGraph if nothing was found",
        "With includeCitations there is always a graph, maybe an empty one: a client needs no special case",
    ),
    Deviation(
        "113,251",
        "totalResults is the number of results returned",
        "It counts all documents that match, so that a caller knows whether there are more pages",
    ),
    Deviation(
        "121-124,266-271",
        "A failure is logged with its message, and thrown",
        "A failure is returned, with category and remedy, and counted in /metrics; its message may quote the caller, "
        "so it is not logged",
    ),
    Deviation(
        "202",
        "score 0.95 of the best result",
        "Scores are parts of the best one, which has 1.0",
    ),
    Deviation(
        "220",
        "The context has the link's Markdown",
        "The context is the text that a reader sees around the link; targetUrl has the address",
    ),
]
