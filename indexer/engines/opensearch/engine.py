"""The engine that runs on an OpenSearch cluster."""

from indexer.engines.opensearch.connection import Connection, reading_client, writing_client
from indexer.engines.opensearch.reader import OpenSearchReader
from indexer.engines.opensearch.records import OpenSearchRecords
from indexer.engines.opensearch.writer import OpenSearchWriter
from indexer.engines.port import Engine


def open_engine(connection: Connection, *, search_timeout: float) -> Engine:
    """Make the three roles; contacts nothing, so a cluster that is down fails calls and not the start."""
    client = writing_client(connection)
    return Engine(
        name="opensearch",
        reader=OpenSearchReader(reading_client(connection, search_timeout), search_timeout),
        writer=OpenSearchWriter(client, connection),
        records=OpenSearchRecords(client, connection),
    )
