"""The modules that the published server zip lacks, and their descriptor files."""

from dataclasses import dataclass

VERSION = "3.4.0"
DESCRIPTOR_FILE = "plugin-descriptor.properties"
LOCALE_PROVIDER = "icu4j-localespi"
"""Copied into the server's `lib/`, for a Java without locale data."""


@dataclass(frozen=True)
class Module:
    """A folder under `modules/`, built from one artifact and its dependencies."""

    folder: str
    artifact: str
    classname: str
    extends: str = ""


MODULES = (
    Module(
        "analysis-common",
        "analysis-common",
        "org.opensearch.analysis.common.CommonAnalysisModulePlugin",
        extends="lang-painless",
    ),
    Module("lang-painless", "lang-painless", "org.opensearch.painless.PainlessModulePlugin"),
    Module("reindex", "reindex-client", "org.opensearch.index.reindex.ReindexModulePlugin"),
    Module("mapper-extras", "mapper-extras-client", "org.opensearch.index.mapper.MapperExtrasModulePlugin"),
    Module("geo", "geo", "org.opensearch.geo.GeoModulePlugin"),
    Module("parent-join", "parent-join-client", "org.opensearch.join.ParentJoinModulePlugin"),
    Module("rank-eval", "rank-eval-client", "org.opensearch.index.rankeval.RankEvalModulePlugin"),
)


def descriptor(module: Module) -> str:
    """Return the text of the module's descriptor file."""
    entries = {
        "description": f"The module {module.folder}",
        "version": VERSION,
        "name": module.folder,
        "classname": module.classname,
        "java.version": "21",
        "opensearch.version": VERSION,
        "custom.foldername": "",
        "extended.plugins": module.extends,
        "has.native.controller": "false",
    }
    return "".join(f"{key}={value}\n" for key, value in entries.items())
