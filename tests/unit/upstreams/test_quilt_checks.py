"""The doctor's line of a catalog, by what the catalog tells of itself."""

from typing import Any

import pytest

from app.cli.quilt_check import quilt


def described(status: str, backend: str | None = None, bucket_count: int | None = None) -> dict[str, Any]:
    return {"search": {"status": status, "backend": backend}, "bucket_count": bucket_count}


@pytest.mark.parametrize("info", [described("not_configured"), {"success": False, "error_category": "authorization"}])
def test_what_is_not_there_is_not_examined(info: dict[str, Any]) -> None:
    assert list(quilt(info)) == []


@pytest.mark.parametrize(
    ("info", "detail"),
    [
        (described("ready", "graphql", 12), "searches with GraphQL; buckets that can be searched: 12"),
        (described("ready", "elasticsearch", 1), "that is fine); buckets that can be searched: 1"),
    ],
)
def test_both_backends_are_fine(info: dict[str, Any], detail: str) -> None:
    (check,) = quilt(info)
    assert (check.name, check.status, check.action) == ("quilt", "ok", "")
    assert detail in check.detail


@pytest.mark.parametrize(
    ("info", "action"),
    [
        (described("authentication_required"), "TRAWL_QUILT_TOKEN"),
        (described("no_search"), "bucket_objects_list"),
        (described("unavailable"), "TRAWL_QUILT_CATALOG_URL"),
        (described("not_checked"), "try again later"),
        (described("ready", "elasticsearch", 0), "administrator"),
        ({}, "TRAWL_QUILT_CATALOG_URL"),
    ],
)
def test_whatever_is_broken_comes_with_what_to_do(info: dict[str, Any], action: str) -> None:
    (check,) = quilt(info)
    assert check.status == "broken"
    assert action in check.action
