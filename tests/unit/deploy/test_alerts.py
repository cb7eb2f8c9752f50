"""The alert rules name only metrics, labels and outcomes that the service exposes."""

import re
from typing import Any, cast, get_args

import pytest
import yaml
from prometheus_client.parser import text_string_to_metric_families

from app.http.process_metrics import rendered
from indexer.errors import Category
from indexer.library import Library
from mcp_server.features.web.settings import WebSettings
from mcp_server.features.web.upstream import WEB
from mcp_server.observability.index_counts import IndexCounts
from tests.made_services import made_services, made_upstreams
from tests.service import ROOT

RULES: list[dict[str, Any]] = [
    rule
    for group in yaml.safe_load((ROOT / "deploy/prometheus/alerts.yaml").read_text(encoding="utf-8"))["groups"]
    for rule in group["rules"]
]
METRIC = re.compile(r"(trawl_\w+)(?:\{([^}]*)\})?")
LABEL = re.compile(r'(\w+)(?:=~|!~|!=|=)"([^"]*)"')
OUTCOMES = {*get_args(Category), "ok", "cached", "joined"}


@pytest.fixture
async def samples() -> dict[str, list[dict[str, str]]]:
    """Return the labels of all samples by their name, after a call that was counted."""
    settings = WebSettings(_env_file=None, api_key="sk-x", daily_calls=2, daily_tokens=3, daily_dollars=4)
    upstreams = made_upstreams(web=settings)
    web = upstreams.of(cast("Any", "main"))[WEB]
    await web._budget.count_call("main")
    web.telemetry.call("ok", "0")
    text = rendered(made_services(upstreams=upstreams), IndexCounts(cast("Library", None)))
    await upstreams.aclose()
    families = text_string_to_metric_families(text.decode())
    found: dict[str, list[dict[str, str]]] = {}
    for family in families:
        for sample in family.samples:
            found.setdefault(sample.name, []).append(sample.labels)
    return found


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule["alert"])
def test_a_rule_names_what_is_exposed(rule: dict[str, Any], samples: dict[str, list[dict[str, str]]]) -> None:
    named = METRIC.findall(rule["expr"])
    assert len(named) >= 2
    for metric, selectors in named:
        assert metric in samples
        labels = dict(LABEL.findall(selectors))
        assert labels["upstream"] in {sample["upstream"] for sample in samples[metric]}
        # Only the limit of a team with a connection of its own names it.
        assert all(labels.keys() - {"team"} <= sample.keys() for sample in samples[metric])
        assert set(re.findall(r"\w+", labels.get("outcome", ""))) <= OUTCOMES


def test_the_rules_are_those_for_costs_and_errors() -> None:
    budget, errors = RULES
    assert budget["expr"].strip().endswith("> 0.8")
    assert "daily_used" in budget["expr"].split("/")[0]
    assert "daily_limit" in budget["expr"].split("/")[1]
    assert (errors["for"], errors["labels"]["severity"]) == ("10m", "critical")
    for rule in RULES:
        assert rule["annotations"]["summary"]
        assert {"TRAWL_WEB", "OPENAI_API_KEY"} & set(re.findall(r"TRAWL_WEB|OPENAI_API_KEY", str(rule)))


async def test_budget_and_usage_have_the_labels_that_the_rule_joins_by(
    samples: dict[str, list[dict[str, str]]],
) -> None:
    limits, used = samples["trawl_upstream_daily_limit"], samples["trawl_upstream_daily_used"]
    assert (
        {sample["what"] for sample in limits}
        == {sample["what"] for sample in used}
        == {"calls", "tokens", "microdollars"}
    )
    assert {sample["team"] for sample in used} == {"main"}
