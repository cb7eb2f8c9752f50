"""Where Trawl does otherwise than the document on OSDU says, and why."""

from tests.seeds.requirements import Deviation

_LAYOUT = "The code follows this repository's layout"
DEVIATIONS = [
    Deviation(
        "42-107,497-561",
        "The guide's wording",
        "The guide is in our own words; it has every tool, pattern, field and step, and more tools",
    ),
    Deviation(
        "279",
        'query_executed is id:"…" in search_by_id',
        'It is the query as sent, id:("…"), as lines 249 and 407 have it',
    ),
    Deviation(
        "340-353",
        "shared/service_urls.py with the enum OSMCPService",
        f"{_LAYOUT}: the base path is in mcp_server/features/osdu/api/client.py",
    ),
    Deviation(
        "355-382,405,425",
        "shared/clients/search_client.py with the class SearchClient",
        f"{_LAYOUT}: mcp_server/features/osdu/service.py and its folder api",
    ),
    Deviation(
        "392-400,414-420,435-442",
        "Each search is logged with its query, id or kind",
        "What is searched is never logged; the log has a keyed hash, counts and durations",
    ),
    Deviation(
        "470",
        "execution_time_ms is the response's took",
        "The search service's response has no took, so it is the time that this service measured",
    ),
    Deviation(
        "476-493",
        "prompts/guide_search_patterns.py with a decorator",
        f"{_LAYOUT}: mcp_server/features/osdu/guide_search_patterns.md, declared in __init__.py",
    ),
    Deviation(
        "563-568",
        "Each use of the prompt is logged",
        "Reading a guide changes nothing and contacts nobody, so nothing is logged",
    ),
    Deviation(
        "580-586,592-603,615-619",
        "Tests with aioresponses instead of HTTP",
        "A server on loopback with the service's wire format records the requests",
    ),
    Deviation(
        "588,613,630",
        "Tests in tests/tools/search and tests/prompts",
        f"{_LAYOUT}: tests/seeds, tests/integration/osdu and tests/unit/upstreams",
    ),
    Deviation(
        "649-657",
        "Exception classes OSMCPValidationError, OSMCPAuthError, OSMCPAPIError",
        "Failures are told apart by error_category, as in all tools of Trawl",
    ),
    Deviation(
        "671-675",
        "The decorator @handle_osdu_exceptions",
        "Failures are raised as PlatformError and rendered in one place for all tools",
    ),
    Deviation(
        "686",
        "Results follow the ACL of the caller",
        "They follow the ACL of the service account, which the status and operations.md say",
    ),
    Deviation(
        "695",
        "Coverage by the ADR standards of another project",
        "This table is the measure: each requirement has its test",
    ),
]
