"""Lists the buckets of a catalog over GraphQL."""

from indexer.tenancy import Principal
from indexer.text.clean import clean_text
from mcp_server.features.quilt.api.connection import QuiltConnection
from mcp_server.features.quilt.failures import StackChanged, UnexpectedResponse
from mcp_server.features.quilt.graphql.queries import BUCKETS


async def list_buckets(
    connection: QuiltConnection, principal: Principal, registry: str, *, fresh: bool
) -> list[str] | None:
    """Return the buckets that the catalog shows to the token's user; None where the stack cannot list them."""
    try:
        data = await connection.graphql(principal, registry, BUCKETS, fresh=fresh)
        return [clean_text(str(bucket["name"])) for bucket in data["bucketConfigs"]]
    except (StackChanged, UnexpectedResponse, KeyError, TypeError):
        return None
