"""Which folders of the host and which buckets a team may read.

Where callers need no token, that is everything that the settings and the credentials of the process allow. Where they
need one, it is what the connections give to the team, and otherwise nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, SecretStr, model_validator

from indexer.connections.connections import Connections
from indexer.connections.section import Section
from indexer.environment import Address
from indexer.errors import Authorization
from indexer.tenancy import Principal, TeamId
from workers.sources.settings import SourceSettings, absolute_folders


class _SectionSettings(BaseModel):
    model_config = ConfigDict(frozen=True, hide_input_in_errors=True)


def _check_bucket(name: str) -> str:
    bucket, _, prefix = name.partition("/")
    if not bucket or prefix.startswith("/") or "://" in name:
        raise ValueError("give names of buckets, like field-reports or field-reports/2025")
    return name.rstrip("/")


class S3Settings(_SectionSettings):
    """A team's credentials for S3 and the buckets that it may read. Without credentials, those of the process."""

    access_key_id: str | None = None
    secret_access_key: SecretStr | None = None
    session_token: SecretStr | None = None
    endpoint_url: Address | None = None
    region: str | None = None
    signed: bool = True
    """Whether requests are signed; a sandbox takes them without credentials."""
    buckets: tuple[Annotated[str, AfterValidator(_check_bucket)], ...] = ()
    """Each a bucket, or a bucket and a folder in it: `name` or `name/prefix`."""

    @model_validator(mode="after")
    def _check_credentials(self) -> Self:
        if (self.access_key_id is None) != (self.secret_access_key is None):
            raise ValueError("give both access_key_id and secret_access_key, or neither")
        return self

    def allows(self, bucket: str, prefix: str) -> bool:
        """Say whether all keys with this prefix may be read. A folder ends at a slash: `a` does not allow `ab/`."""
        return any(
            bucket == name and (not folder or prefix.startswith(f"{folder}/"))
            for name, _, folder in (allowed.partition("/") for allowed in self.buckets)
        )


class FolderSettings(_SectionSettings):
    """The folders below which a team may ingest folders by their path."""

    roots: Annotated[tuple[Path, ...], AfterValidator(absolute_folders)] = ()


S3: Final = Section("s3", S3Settings)
FOLDERS: Final = Section("folders", FolderSettings)
SECTIONS: Final[Sequence[Section[Any]]] = (S3, FOLDERS)
"""The sections that the sources have in the connections."""


@dataclass(frozen=True, slots=True)
class SourceRights:
    """What one team may read."""

    team: TeamId
    roots: tuple[Path, ...]
    s3: S3Settings | None
    """None: any bucket, with the credentials of the process, unless the team is restricted."""
    is_restricted: bool
    """Whether it may read nothing but what the connections give to it."""
    private: Path | None = None
    """The folder of the service itself, which a restricted team may not read even below its roots."""

    def check_bucket(self, bucket: str, prefix: str) -> None:
        """Raise `Authorization` for a bucket, or a part of it, that the team may not read."""
        if self.s3 is None and not self.is_restricted:
            return
        if self.s3 is None or not self.s3.allows(bucket, prefix):
            allowed = [] if self.s3 is None else list(self.s3.buckets)
            raise Authorization(
                "This team may not read this bucket, or not with this prefix",
                action="Use what details.buckets names, or ask the operator to add it to `buckets` of the team's "
                "section s3 in TRAWL_CONNECTIONS",
                details={"buckets": allowed},
            )


class TeamRights:
    """The rights of all teams."""

    def __init__(
        self, settings: SourceSettings, connections: Connections, data_dir: Path, *, needs_tokens: bool
    ) -> None:
        self._settings = settings
        self._connections = connections
        self._data_dir = data_dir
        self._needs_tokens = needs_tokens

    def of_caller(self, principal: Principal) -> SourceRights:
        """Return the rights of a caller's team."""
        return self.of(principal.team, restricted=not principal.is_local)

    def of(self, team: TeamId, *, restricted: bool) -> SourceRights:
        """Return a team's rights. It is restricted if this process or that of the caller needs tokens."""
        folders, s3 = self._connections.of(team, FOLDERS), self._connections.of(team, S3)
        is_restricted = restricted or self._needs_tokens
        unlimited = () if is_restricted else self._settings.ingest_roots
        return SourceRights(
            team,
            roots=unlimited if folders is None else folders.settings.roots,
            s3=None if s3 is None else s3.settings,
            is_restricted=is_restricted,
            private=self._data_dir if is_restricted else None,
        )
