"""The catalog, the searches, the failures and the deviations of the document on Quilt, by its lines."""

from datetime import UTC, datetime
from typing import Any, Final

from tests.seeds.requirements import Deviation
from tests.upstreams.faults import Fault
from tests.upstreams.quilt_contents import ALPHA, BETA, Entry, QuiltContents, QuiltObject, QuiltPackage, Revision

SALMON, PIKE, RIVERS = "data/salmon.csv", "notes/pike.md", "team/rivers"
ONLY_IN_S3: Final = "data/sturgeon.csv"
_DAY = datetime(2025, 1, 1, tzinfo=UTC)
CONTENTS: Final = QuiltContents(
    (ALPHA, BETA),
    (
        QuiltObject(ALPHA, SALMON, "v1", 10, _DAY, "A catch of trout"),
        QuiltObject(BETA, PIKE, "v2", 20, _DAY.replace(year=2024), "A lake"),
    ),
    (
        QuiltPackage(
            ALPHA,
            RIVERS,
            (
                Revision(
                    _DAY.replace(month=2),
                    "Counted by hand",
                    {"author": "Smith", "year": 2024},
                    (Entry("salmon.csv", f"s3://{ALPHA}/{SALMON}?versionId=v1", 10),),
                ),
            ),
        ),
    ),
)

AUTHENTICATION: Final[dict[str, Any]] = {
    "success": False,
    "error": "Search catalog requires authentication",
    "error_category": "authentication",
}
STATUS: Final[dict[str, Any]] = {
    "available": True,
    "backend": "elasticsearch",
    "capabilities": ["metadata_search", "content_search"],
    "status": "ready",
}
ERROR_FIELDS: Final[dict[str, Any]] = {
    "success": {"const": False},
    "error": {"type": "string", "minLength": 1},
    "error_category": {"type": "string", "minLength": 1},
    "details": {
        "type": "object",
        "required": ["cause", "authenticated", "catalog_url"],
        "properties": {
            "cause": {"type": "string", "minLength": 1},
            "authenticated": {"type": "boolean"},
            "catalog_url": {"type": ["string", "null"]},
        },
    },
    "fix": {
        "type": "object",
        "required": ["required_action"],
        "properties": {
            "required_action": {"type": "string", "minLength": 1},
            "command": {"type": "string"},
            "documentation": {"type": "string"},
        },
    },
    "alternatives": {"type": "object", "required": ["bucket_objects_list"], "additionalProperties": {"type": "string"}},
}
ERROR_SCHEMA: Final = {"type": "object", "required": list(ERROR_FIELDS), "properties": ERROR_FIELDS}

NEITHER: Final[dict[str, Any]] = {"generation": None, "elasticsearch": False}
GRAPHQL_ONLY: Final[dict[str, Any]] = {"generation": 3, "elasticsearch": False}
ELASTICSEARCH: Final[dict[str, Any]] = {"generation": 0, "elasticsearch": True}
SELECTION: list[tuple[str, str, dict[str, Any], str, str]] = [
    ("38-40,104-106", "GraphQL is preferred where the catalog has it", {}, "graphql", "graphql"),
    ("38-40", "GraphQL alone is enough", GRAPHQL_ONLY, "graphql", "graphql"),
    ("42-44,98", "Without GraphQL search Elasticsearch is used", ELASTICSEARCH, "elasticsearch", "search"),
]


def _always(status: int, headers: dict[str, str] | None = None) -> dict[str, Any]:
    return {"always": {"graphql": Fault(status, {"message": "it is bad"}, headers or {})}}


FAILURES: list[tuple[str, str, dict[str, Any], dict[str, Any], str]] = [
    ("26,46-47", "Without any search the failure is explicit", NEITHER, {}, "not_applicable"),
    ("35-36", "A token that is refused", {"bearers": {}}, {}, "authentication"),
    ("55,99", "No permission to search", ELASTICSEARCH | {"denied": {ALPHA, BETA}}, {}, "authorization"),
    ("139", "Elasticsearch denies a bucket", ELASTICSEARCH | {"denied": {BETA}}, {"bucket": BETA}, "authorization"),
    ("139", "A bucket that the catalog does not have", {}, {"bucket": "no-such-bucket"}, "not_found"),
    ("139", "A filter that the catalog does not have", {}, {"filters": {"colour": "red"}}, "validation"),
    ("139", "GraphQL refuses the input", _always(400), {}, "validation"),
    ("139", "GraphQL breaks", _always(500), {}, "provider"),
    ("139", "The registry is down", _always(503, {"Retry-After": "0"}), {}, "unavailable"),
    ("139", "The registry is too slow", _always(504), {}, "timeout"),
    ("139", "The registry limits requests", _always(429, {"Retry-After": "0"}), {}, "rate_limit"),
]
FOUND: list[tuple[str, str, dict[str, Any], dict[str, Any], list[str]]] = [
    ("100", "Elasticsearch searches packages", ELASTICSEARCH, {"query": "rivers"}, [RIVERS]),
    ("86,100", "Elasticsearch searches packages' metadata", ELASTICSEARCH, {"query": "smith"}, [RIVERS]),
    ("86,100", "Elasticsearch searches objects by key", ELASTICSEARCH, {"query": "salmon"}, [SALMON]),
    ("86,100", "Elasticsearch searches objects' content", ELASTICSEARCH, {"query": "trout"}, [SALMON]),
    ("107", "GraphQL searches packages", {}, {"query": "rivers"}, [RIVERS]),
    ("107", "GraphQL searches one bucket", {}, {"query": "*", "bucket": BETA}, [PIKE]),
    (
        "107",
        "GraphQL takes advanced queries: metadata",
        {},
        {"query": "*", "filters": {"meta.author": "Smith", "meta.year": {"gte": 2024}}},
        [RIVERS],
    ),
    (
        "107",
        "GraphQL takes advanced queries: order and size",
        {},
        {"query": "*", "scope": "object", "filters": {"size": {"gte": 5}}, "order": "oldest"},
        [PIKE, SALMON],
    ),
]

_LAYOUT = "The code follows this repository's layout"
DEVIATIONS: Final = [
    Deviation(
        "34-48,127",
        "select_search_backend() and _select_primary_backend()",
        f"{_LAYOUT}: BackendSelector in mcp_server/features/quilt/backend_choice.py chooses in this order",
    ),
    Deviation(
        "66,99,106",
        "The fix, and what a login is, is quilt3.login()",
        "A service has no user to sign in; fix.command names the setting TRAWL_QUILT_TOKEN",
    ),
    Deviation(
        "67",
        'The alternative is described as "List S3 objects"',
        "The description begins with these words and adds that a listing is no search",
    ),
    Deviation(
        "73,143",
        "A helper get_search_backend_status()",
        f"{_LAYOUT}: QuiltService.status, which catalog://info, results and failures hold",
    ),
    Deviation(
        "97",
        "Elasticsearch wraps quilt3.Bucket.search() and quilt3.search_packages()",
        "The registry's /api/search is called directly, as quilt3 does: quilt3 blocks, and knows one login a machine",
    ),
    Deviation(
        "107",
        "GraphQL searches relationships",
        "The registry's schema has no search by relationship; filters by metadata and order are there",
    ),
    Deviation("120-122", "Deprecate and remove S3FallbackBackend and its tests", "Trawl never had such a backend"),
    Deviation(
        "134-137",
        "ErrorCategory, SearchException, AuthenticationRequired and SearchNotAvailable",
        f"{_LAYOUT}: the categories and PlatformError in indexer/errors.py, not_logged_in() and NoRoute in failures.py",
    ),
    Deviation(
        "150,153",
        "Methods ensure_initialized() and refresh_status()",
        "BackendSelector detects the backend at the first use; a search with refresh=true detects it again",
    ),
    Deviation("172", "fix.documentation", "It is optional; required_action says all that there is to do"),
    Deviation(
        "211,229",
        "The models SearchCatalogSuccess and SearchCatalogError",
        "They are SearchCatalogResult and Failure; the tool's output schema has the fields of both as one flat object",
    ),
    Deviation(
        "163,236",
        "The output schema lists the categories as an enum",
        "The listing is kept short, since every conversation pays for it; docs/mcp-servers.md lists the categories",
    ),
]
