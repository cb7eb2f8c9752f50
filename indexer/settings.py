"""The indexer's settings; `environment.read_settings` reads them."""

from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, SecretStr

from indexer.data_folder import default_data_folder
from indexer.environment import EnvironmentSettings

EngineName = Literal["tantivy", "opensearch"]


class IndexerSettings(EnvironmentSettings):
    """Which engine holds the indices, and how to reach it."""

    engine: Annotated[
        EngineName | None,
        Field(description="tantivy (embedded) or opensearch; by default opensearch when its URL is given"),
    ] = None
    opensearch_url: Annotated[
        str | None, Field(description="Addresses of OpenSearch nodes, separated by commas, each with its scheme")
    ] = None
    opensearch_user: Annotated[str | None, Field(description="User name at OpenSearch")] = None
    opensearch_password: Annotated[SecretStr | None, Field(description="Password at OpenSearch")] = None
    opensearch_ca: Annotated[
        Path | None, Field(description="PEM file with the authority that signed OpenSearch's certificate")
    ] = None
    opensearch_shards: Annotated[int, Field(ge=1, le=1024, description="Shards of each new index")] = 1
    opensearch_replicas: Annotated[
        Annotated[int, Field(ge=0, le=20)] | Literal["auto"],
        Field(description="Copies of each shard; auto: one as soon as there are two nodes"),
    ] = "auto"
    data_dir: Annotated[
        Path,
        Field(
            default_factory=default_data_folder,
            description="Folder of the embedded service: its indices, its records and its key; by default the user's "
            "data folder, $XDG_DATA_HOME/trawl or ~/.local/share/trawl (macOS: ~/Library/Application Support/trawl, "
            "Windows: %LOCALAPPDATA%\\trawl)",
        ),
    ]
    secret_key: Annotated[
        SecretStr | None,
        Field(
            description="Signs cursors and the audit trail, seals tokens and keys hashes; embedded: made once in the "
            "data folder, else required"
        ),
    ] = None
    secret_key_old: Annotated[
        SecretStr | None,
        Field(description="Earlier secret keys, comma-separated, which are still accepted when something is read"),
    ] = None
    search_timeout: Annotated[
        float, Field(gt=0, le=600, allow_inf_nan=False, description="Seconds that a search may take")
    ] = 10.0
    max_indices: Annotated[int, Field(ge=1, description="How many indices a team may have")] = 200
    max_documents: Annotated[
        int | None,
        Field(ge=1, description="How many documents a team may have, with its archive; empty for any number"),
    ] = None
    max_bytes: Annotated[
        int | None,
        Field(ge=1, description="How many bytes a team's indices may take, without replicas; empty for any number"),
    ] = None
    rebuild_grace: Annotated[
        float,
        Field(ge=1, allow_inf_nan=False, description="Seconds that an index stays after a re-index replaced it"),
    ] = 600.0

    @property
    def chosen_engine(self) -> EngineName:
        if self.engine is not None:
            return self.engine
        return "opensearch" if self.opensearch_urls else "tantivy"

    @property
    def opensearch_urls(self) -> tuple[str, ...]:
        return tuple(url.strip() for url in (self.opensearch_url or "").split(",") if url.strip())
