"""Opens the engine on an OpenSearch cluster."""

from indexer.engines.opensearch.audit_log import OpenSearchAuditLog
from indexer.engines.opensearch.connection import Connection, build_reader_client, build_writer_client
from indexer.engines.opensearch.reader import OpenSearchReader
from indexer.engines.opensearch.records import OpenSearchRecords
from indexer.engines.opensearch.writer import OpenSearchWriter
from indexer.engines.port import Engine


def open_engine(connection: Connection, *, search_timeout: float) -> Engine:
    """Build the roles without connecting, so that a service starts while its cluster is down."""
    client = build_writer_client(connection)
    return Engine(
        name="opensearch",
        reader=OpenSearchReader(build_reader_client(connection, search_timeout), search_timeout),
        writer=OpenSearchWriter(client, connection),
        records=OpenSearchRecords(client, connection),
        audit=OpenSearchAuditLog(client, connection),
    )
