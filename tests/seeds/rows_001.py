"""The examples, documents, queries and deviations of the document on local indices."""

from typing import Any

from tests.seeds.requirements import Deviation

EXAMPLE_SEARCH = """
{
  "tool_name": "search_index",
  "arguments": {
    "query": "rate limiting API",
    "k": 3,
    "index_name": "documentation"
  }
}
"""
EXAMPLE_ADD = """
{
  "tool_name": "search_add_document",
  "arguments": {
    "doc_id": "readme-rate-limiting",
    "content": "Rate limiting protects APIs from abuse by throttling request frequency.",
    "metadata": {"module": "rate_limiting", "type": "readme"}
  }
}
"""
EXAMPLE_CREATE = """
{
  "tool_name": "search_create_index",
  "arguments": {
    "index_name": "codebase_search",
    "tokenizer_config": {
      "lowercase": true,
      "min_length": 3
    }
  }
}
"""
LIBRARY: list[dict[str, Any]] = [
    {
        "doc_id": "doc-001",
        "content": "Python rate limiting with token buckets",
        "metadata": {"author": "Smith", "year": 2026},
    },
    {"doc_id": "doc-002", "content": "Python for machine learning, and learning a machine language"},
    {"doc_id": "doc-003", "content": "Java for machine learning"},
    {"doc_id": "doc-004", "content": "Machine tools for a learning workshop"},
    {"doc_id": "doc-005", "content": "A rate limiting API. " * 3 + "It answers with a status."},
    {"doc_id": "doc-006", "content": "An API of few words about a rate"},
]
"""The documents that the searches of the document are tried on."""
QUERIES: list[tuple[str, str, str, set[str]]] = [
    ("9", "+term must be included", "+python machine", {"doc-001", "doc-002"}),
    ("9", "-term must be excluded", "learning -java", {"doc-002", "doc-004"}),
    ("9", '"phrase" is an exact match', '"machine learning"', {"doc-002", "doc-003"}),
    ("9,25", '+python "machine learning"', '+python "machine learning"', {"doc-002"}),
    ("16", "Documents that match a query string", "workshop", {"doc-004"}),
]
HOSTILE = [
    '"',
    "+",
    "-",
    "*:*",
    "AND OR NOT (",
    "a" * 2_000,
    "<script>",
    "{'match_all': {}}",
    "text:*",
    "\\",
    "/.*/",
    "a~2",
]
_NO_CONTENT = "Content must be a non-empty string, for blank or missing content"
_SEARCH, _ADD, _CREATE = "search_index", "search_add_document", "search_create_index"
REQUIRED = object()
PARAMETERS: list[tuple[str, str, str, str, str, object]] = [
    ("25", "query: string, required", _SEARCH, "query", "string", REQUIRED),
    ("26", "k: integer, 10 by default", _SEARCH, "k", "integer", 10),
    ("27", 'index_name of a search: string, "default" by default', _SEARCH, "index_name", "string", "default"),
    ("84", "doc_id: string, required", _ADD, "doc_id", "string", REQUIRED),
    ("85", "content: string, required", _ADD, "content", "string", REQUIRED),
    ("86", "metadata: object, optional", _ADD, "metadata", "object", None),
    ("87", 'index_name of an add: string, "default" by default', _ADD, "index_name", "string", "default"),
    ("134", "index_name of a new index: string, required", _CREATE, "index_name", "string", REQUIRED),
    ("135", 'backend: string, "memory" by default', _CREATE, "backend", "string", "memory"),
    (
        *("136,142-143", "tokenizer_config: object, lowercase true and min_length 2 by default", _CREATE),
        *("tokenizer_config", "object", {"lowercase": True, "min_length": 2, "language": "english"}),
    ),
]
TOKENIZERS: list[tuple[str, str, dict[str, Any], int, dict[str, int]]] = [
    ("142", "lowercase is true by default: case does not count", {}, 5, {"PYTHON": 1, "python": 1}),
    ("142", "lowercase false: case counts", {"lowercase": False}, 5, {"Python": 1, "python": 0}),
    ("143", "min_length is 2 by default: a shorter word is no token", {}, 5, {"a": 0, "is": 1}),
    ("136,143", "min_length 3 leaves out words of two letters", {"lowercase": True, "min_length": 3}, 4, {"is": 0}),
    ("143", "min_length 1 takes every word", {"min_length": 1}, 6, {"a": 1}),
]
"""How many tokens "Python is a rate limiting API" has, and how many documents a word finds."""
_WRONG_NAMES = ("a b", "../a", "a.b", "é", "")
_BLANK: tuple[dict[str, Any], ...] = ({"content": ""}, {"content": " \n\t"}, {"content": None}, {})
FAILURES: list[tuple[str, str, str, dict[str, Any], str]] = [
    ("48", "Index not found: <name>", _SEARCH, {"query": "a", "index_name": "nowhere"}, "Index not found: nowhere"),
    ("154", "Index already exists: <name>", _CREATE, {"index_name": "default"}, "Index already exists: default"),
    ("155", "Unknown backend: <value>", _CREATE, {"index_name": "x", "backend": "sqlite"}, "Unknown backend: sqlite"),
    *(
        ("98", _NO_CONTENT, _ADD, {"doc_id": "blank", **given}, "Content must be a non-empty string")
        for given in _BLANK
    ),
    *(
        (
            "176",
            "Names are alphanumeric, with hyphens and underscores",
            _CREATE,
            {"index_name": name},
            "Invalid index name",
        )
        for name in _WRONG_NAMES
    ),
]
DEVIATIONS = [
    Deviation(
        "7,117",
        "The default index, and all content, is in the memory of the process",
        "Documents are kept by the engine on disk, so that they survive a restart; the tools' descriptions say so",
    ),
    Deviation(
        "8,42",
        "The score is TF-IDF",
        "The score is BM25, which weighs term frequency and rarity as TF-IDF does, and the length of the text; the "
        "description of search_index says so",
    ),
    Deviation(
        "117",
        "Sensitive documents use backends that encrypt at rest",
        "No engine encrypts; the operator encrypts the disk of the data folder or of the cluster",
    ),
    Deviation(
        "48,98,154-155",
        "A failure is an object with the one field error",
        "It has that field with that text, and success, error_category, details, fix and alternatives beside it, as "
        "all failures of Trawl",
    ),
]
