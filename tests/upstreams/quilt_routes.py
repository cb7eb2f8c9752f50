"""The ways in which a catalog can be searched, by name."""

from collections.abc import Iterable

from app.sandbox.quilt.schema import Generation
from tests.upstreams.quilt import QuiltServer
from tests.upstreams.quilt_contents import QuiltObject, QuiltPackage

GRAPHQL = ("graphql-1", "graphql-2", "graphql-3")
ELASTICSEARCH = ("elasticsearch-joined", "elasticsearch-flat")
GENERATIONS: dict[str, Generation] = {"1": 1, "2": 2, "3": 3}
ROUTES = GRAPHQL + ELASTICSEARCH
BOTH = ("graphql-3", "elasticsearch-joined")
"""For what has nothing to do with ages."""


def take(quilt: QuiltServer, route: str) -> None:
    """Leave the catalog this one way; buckets are listed by GraphQL in any case."""
    kind, _, variant = route.partition("-")
    if kind == "graphql":
        quilt.generation = GENERATIONS[variant]
        quilt.elasticsearch = False
    else:
        quilt.generation, quilt.elasticsearch = 0, True
        quilt.packages_form = "flat" if variant == "flat" else "joined"


def named(things: Iterable[QuiltObject | QuiltPackage]) -> list[tuple[str, str, str]]:
    """Return what a search should tell of these: type, bucket and name."""
    return sorted(
        ("object", each.bucket, each.key.replace("\u202e", "").replace("\u200b", ""))
        if isinstance(each, QuiltObject)
        else ("package", each.bucket, each.name)
        for each in things
    )
