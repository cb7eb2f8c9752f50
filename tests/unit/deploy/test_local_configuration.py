from dataclasses import replace
from pathlib import Path

import yaml

from deploy.local.configuration import NodePlan, jvm_options, settings_text

PLAN = NodePlan(
    cluster="c",
    name="node-0",
    folder=Path("/f/node-0"),
    port=9200,
    transport_port=9300,
    peers={"node-0": 9300},
    heap="1g",
)
SHIPPED = """# a comment
-Xms4g
-Xmx4g
-XX:HeapDumpPath=data
-XX:ErrorFile=logs/hs_err_pid%p.log
9-:-Xlog:gc*:file=logs/gc.log:utctime
20-:--add-modules=jdk.incubator.vector
21-:-javaagent:agent/opensearch-agent.jar
"""


def options(*, has_vector_module: bool = True, knows_thai: bool = True) -> str:
    return jvm_options(SHIPPED, PLAN, has_vector_module=has_vector_module, knows_thai=knows_thai)


def test_one_node_is_a_cluster_by_itself() -> None:
    settings = yaml.safe_load(settings_text(PLAN))
    assert settings["discovery.type"] == "single-node"
    assert "cluster.initial_cluster_manager_nodes" not in settings


def test_several_nodes_know_each_other() -> None:
    settings = yaml.safe_load(settings_text(replace(PLAN, peers={"node-0": 9300, "node-1": 9301})))
    assert settings["discovery.seed_hosts"] == ["127.0.0.1:9300", "127.0.0.1:9301"]
    assert settings["cluster.initial_cluster_manager_nodes"] == ["node-0", "node-1"]
    assert "discovery.type" not in settings


def test_a_node_listens_on_loopback_only_and_takes_many_shards() -> None:
    settings = yaml.safe_load(settings_text(PLAN))
    assert settings["network.host"] == "127.0.0.1"
    assert settings["http.port"] == 9200
    assert settings["cluster.max_shards_per_node"] == 5000
    assert settings["cluster.routing.allocation.disk.threshold_enabled"] is False


def test_a_folder_with_odd_characters_survives_the_settings_file() -> None:
    plan = replace(PLAN, folder=Path('/f/a: "b" #c'))
    assert yaml.safe_load(settings_text(plan))["path.data"] == '/f/a: "b" #c/data'


def test_the_heap_is_the_plans_and_no_other() -> None:
    lines = options().splitlines()
    assert [line for line in lines if line.startswith("-Xm")] == ["-Xms1g", "-Xmx1g"]


def test_paths_point_into_the_nodes_folder() -> None:
    lines = options().splitlines()
    assert "-XX:HeapDumpPath=/f/node-0/data" in lines
    assert "-XX:ErrorFile=/f/node-0/logs/hs_err_pid%p.log" in lines
    assert "9-:-Xlog:gc*:file=/f/node-0/logs/gc.log:utctime" in lines
    assert "21-:-javaagent:agent/opensearch-agent.jar" in lines


def test_the_vector_module_is_dropped_where_java_lacks_it() -> None:
    assert "incubator" in options()
    assert "incubator" not in options(has_vector_module=False)


def test_locales_come_from_elsewhere_where_java_lacks_thai() -> None:
    assert "java.locale.providers" not in options()
    assert "-Djava.locale.providers=SPI,CLDR" in options(knows_thai=False).splitlines()
