"""Opens the library on the engine that the settings select. Only this module knows both engines."""

from collections.abc import Mapping
from typing import Final

from indexer.archives import mapping as archive
from indexer.archives.definition import ARCHIVE, FILTERABLE
from indexer.cursors import Cursors
from indexer.engines.port import Engine
from indexer.errors import NotConfigured
from indexer.file_lock import REQUEST_PATIENCE
from indexer.index.known_fields import KnownFields
from indexer.index.registry import Registry
from indexer.index.revisions import RevisionClock
from indexer.index.store import Remap
from indexer.library import Library
from indexer.local import mapping as local
from indexer.local.definition import LOCAL
from indexer.open_views import OpenViews
from indexer.schema.definition import IndexDefinition, Kind
from indexer.secret_key import secret_keys
from indexer.settings import IndexerSettings

DEFINITIONS: Final[Mapping[Kind, IndexDefinition]] = {"local": LOCAL, "archive": ARCHIVE}
REMAP: Final[Mapping[Kind, Remap]] = {"local": local.remap_document, "archive": archive.remap_document}


def open_library(settings: IndexerSettings, *, patience: float = REQUEST_PATIENCE) -> Library:
    """Open the library without connecting to the engine, so that a service starts while its engine is down.

    `patience`: how many seconds a write waits for other writers of an embedded engine.
    """
    keys = secret_keys(settings)
    engine = _open_engine(settings, patience)
    return Library(
        engine=engine,
        registry=Registry(engine.records, DEFINITIONS, max_indices=settings.max_indices),
        clock=RevisionClock(),
        remap=REMAP,
        cursors=Cursors(*keys),
        known_fields=KnownFields(engine.reader, {"archive": FILTERABLE}),
        open_views=OpenViews(engine.reader),
        search_timeout=settings.search_timeout,
        rebuild_grace=settings.rebuild_grace,
    )


def _open_engine(settings: IndexerSettings, patience: float) -> Engine:
    # Each engine is imported only if it is used, because the import takes a third of a second.
    if settings.chosen_engine == "tantivy":
        from indexer.engines.tantivy import engine as tantivy  # noqa: PLC0415 (see above)

        return tantivy.open_engine(settings.data_dir, search_timeout=settings.search_timeout, patience=patience)
    if not settings.opensearch_urls:
        raise NotConfigured(
            "TRAWL_OPENSEARCH_URL is not set",
            action="Set TRAWL_OPENSEARCH_URL to your nodes, or TRAWL_ENGINE to tantivy for an embedded index",
        )
    from indexer.engines.opensearch import engine as opensearch  # noqa: PLC0415 (see above)
    from indexer.engines.opensearch.connection import Connection  # noqa: PLC0415 (see above)

    password = settings.opensearch_password
    connection = Connection(
        urls=settings.opensearch_urls,
        user=settings.opensearch_user,
        password=password.get_secret_value() if password else None,
        ca=str(settings.opensearch_ca) if settings.opensearch_ca else None,
        shards=settings.opensearch_shards,
        replicas=settings.opensearch_replicas,
    )
    return opensearch.open_engine(connection, search_timeout=settings.search_timeout)
