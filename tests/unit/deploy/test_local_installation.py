from deploy.local.artifacts import jars_of
from deploy.local.descriptors import MODULES, VERSION, descriptor

TREE = """trawl:local-opensearch:pom:1
   org.opensearch.distribution.integ-test-zip:opensearch:zip:3.4.0:compile
   org.opensearch.plugin:geo:jar:3.4.0:compile
   org.opensearch.plugin:lang-painless:jar:3.4.0:compile
      org.ow2.asm:asm:jar:9.7:compile
         org.ow2.asm:asm-tree:jar:9.7:compile
      org.antlr:antlr4-runtime:jar:4.13.1:compile
   org.opensearch.plugin:reindex-client:jar:3.4.0:compile
      commons-codec:commons-codec:jar:1.18.0:compile
"""


def test_a_module_gets_its_jar_and_all_below_it_in_the_tree() -> None:
    expected = ["lang-painless-3.4.0.jar", "asm-9.7.jar", "asm-tree-9.7.jar", "antlr4-runtime-4.13.1.jar"]
    assert jars_of("lang-painless", TREE) == expected


def test_the_last_module_gets_its_own_only() -> None:
    assert jars_of("reindex-client", TREE) == ["reindex-client-3.4.0.jar", "commons-codec-1.18.0.jar"]


def test_a_module_without_dependencies_is_one_jar() -> None:
    assert jars_of("geo", TREE) == ["geo-3.4.0.jar"]


def test_the_server_itself_is_no_module() -> None:
    assert jars_of("opensearch", TREE) == []


def test_a_descriptor_has_every_key_that_the_server_reads() -> None:
    module = next(module for module in MODULES if module.folder == "analysis-common")
    entries = dict(line.split("=", 1) for line in descriptor(module).splitlines())
    assert entries == {
        "description": "The module analysis-common",
        "version": VERSION,
        "name": "analysis-common",
        "classname": "org.opensearch.analysis.common.CommonAnalysisModulePlugin",
        "java.version": "21",
        "opensearch.version": VERSION,
        "custom.foldername": "",
        "extended.plugins": "lang-painless",
        "has.native.controller": "false",
    }


def test_each_module_that_another_extends_is_there() -> None:
    folders = {module.folder for module in MODULES}
    assert {module.extends for module in MODULES} - {""} <= folders
