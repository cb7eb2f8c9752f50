"""The check of `trawl doctor` for Quilt: which backend the catalog searches with, or what to do where it cannot."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from app.cli.checks import Check

_NAME: Final = "quilt"
_BACKENDS: Final = {
    "graphql": "searches with GraphQL",
    "elasticsearch": "searches with Elasticsearch (the registry has no GraphQL search, and that is fine)",
}
_NO_ROLE: Final = "Ask an administrator of the catalog for a role that may read buckets, for the token's user"
_NO_LIST: Final = "The catalog cannot list its buckets: name them in TRAWL_QUILT_BUCKETS, or name one in each search"
_BROKEN: Final = {
    "authentication_required": (
        "no token is configured, or the registry refuses it",
        "Set TRAWL_QUILT_TOKEN to an API key, or to a refresh token, which the catalog shows at /code",
    ),
    "no_search": (
        "the registry has neither GraphQL search nor Elasticsearch",
        "Set TRAWL_QUILT_CATALOG_URL to a catalog with search; bucket_objects_list still lists buckets",
    ),
}
_NO_ANSWER: Final = (
    "the catalog or its registry does not answer as it should",
    "Check TRAWL_QUILT_CATALOG_URL and that this machine reaches the catalog, or try again later",
)


def quilt(info: Mapping[str, Any]) -> Iterator[Check]:
    """Turn the description of the catalog into a check; none where Quilt is not configured or not offered."""
    search = info.get("search", {})
    status = search.get("status", info.get("error_category"))
    if status == "ready":
        yield _ready(_BACKENDS[search["backend"]], info["bucket_count"])
    elif status not in {"not_configured", "authorization"}:
        yield Check(_NAME, "broken", *_BROKEN.get(status, _NO_ANSWER))


def _ready(backend: str, buckets: int | None) -> Check:
    if buckets is None:
        return Check(_NAME, "ok", backend, _NO_LIST)
    if not buckets:
        return Check(_NAME, "broken", f"{backend}, but in no bucket", _NO_ROLE)
    return Check(_NAME, "ok", f"{backend}; buckets that can be searched: {buckets}")
