"""What a team may read of S3 and of the host, for other packages."""

from workers.sources.rights import FOLDERS, SECTIONS, S3Settings, SourceRights, TeamRights
from workers.sources.s3_client import open_client

__all__ = ["FOLDERS", "SECTIONS", "S3Settings", "SourceRights", "TeamRights", "open_client"]
