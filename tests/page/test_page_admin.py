"""The team for its administrators, and everybody's own account."""

import csv
import re
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from tests.page.looking import tab_to
from tests.page.people import caller, first_token, new_token, sign_in, status_with
from tests.redis import redis_server
from tests.service import Service, run_service, wait_until, wait_until_ready

UNFOUND = "quaxelfin"
TOKEN = re.compile(r"^trawl_\w{40,}$")


@pytest.fixture(scope="module")
def team(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service that needs a token, for a team that wants the words of its searches kept."""
    folder = tmp_path_factory.mktemp("team")
    connections = folder / "connections.toml"
    connections.write_text("[teams.main.searches]\nkeep_words = true\n")
    with run_service(folder, env={"TRAWL_AUTH": "on", "TRAWL_CONNECTIONS": str(connections)}) as running:
        wait_until_ready(running)
        yield running


@pytest.fixture(scope="module")
def token(team: Service) -> str:
    return first_token(team, "boss")


@pytest.fixture(scope="module")
def admin(team: Service, token: str) -> Iterator[httpx.Client]:
    with caller(team, token) as program:
        # It is counted some seconds later, when nobody types on it any more.
        assert program.post("/api/v1/search", json={"query": UNFOUND}).json()["results"] == []
        yield program


@pytest.fixture
def boss(context: BrowserContext, page: Page, team: Service, token: str, admin: httpx.Client) -> Page:  # noqa: ARG001
    sign_in(context, team, token)
    return page


def row(page: Page, name: str) -> Locator:
    return page.locator("table.tokens tbody tr", has=page.get_by_role("rowheader", name=re.compile(f"^{name}")))


def revoke(page: Page, name: str) -> None:
    press = row(page, name).get_by_role("button")
    press.click()
    expect(press).to_have_text("Revoke for good?")
    press.click()
    expect(row(page, name)).to_have_count(0)


def test_tokens_of_the_team_are_created_listed_with_their_last_use_and_revoked(boss: Page, team: Service) -> None:
    boss.goto(f"{team.url}/admin")
    expect(boss.locator("h1")).to_have_text("Team main")
    boss.get_by_label("Name", exact=True).fill("Crawler")
    boss.get_by_role("checkbox", name=re.compile("^ingest")).check()
    boss.get_by_role("button", name="Create token").click()
    shown = boss.locator("main pre[data-token]")
    expect(shown).to_have_text(TOKEN)
    made = shown.inner_text()
    expect(row(boss, "Crawler").locator("td").first).to_have_text("search, ingest")
    expect(row(boss, "Crawler").locator("td").nth(1)).to_have_text("never")
    assert status_with(team, made) == 200
    with caller(team, made) as crawler:
        wait_until(lambda: last_use(boss, team, crawler) is not None, "the use of the token is known")
    boss.reload()
    expect(row(boss, "Crawler").locator("td").nth(1)).to_contain_text(re.compile("now|seconds? ago"))
    revoke(boss, "Crawler")
    wait_until(lambda: status_with(team, made) == 401, "the token is refused")


def last_use(page: Page, service: Service, crawler: httpx.Client) -> str | None:
    assert crawler.get("/api/v1/me").status_code == 200
    listed = page.request.get(f"{service.url}/api/v1/tokens").json()["tokens"]
    used: str | None = next(each["last_used_at"] for each in listed if each["name"] == "Crawler")
    return used


def test_the_team_is_looked_after_by_keyboard_alone(boss: Page, team: Service) -> None:
    boss.goto(f"{team.url}/admin")
    expect(row(boss, "boss")).to_be_visible()
    tab_to(boss, boss.get_by_role("tab", selected=True))
    for name in ("usage", "calls", "searches", "health"):
        boss.keyboard.press("ArrowRight")
        expect(boss).to_have_url(f"{team.url}/admin?tab={name}")
    boss.keyboard.press("Home")
    tab_to(boss, boss.get_by_label("Name", exact=True))
    boss.keyboard.type("By keys")
    boss.keyboard.press("Enter")
    expect(row(boss, "By keys")).to_be_visible()
    tab_to(boss, row(boss, "By keys").get_by_role("button"))
    boss.keyboard.press("Enter")
    boss.keyboard.press("Enter")
    expect(row(boss, "By keys")).to_have_count(0)


def test_use_and_limits_are_shown(boss: Page, team: Service, admin: httpx.Client) -> None:
    def told_calls() -> set[str]:
        return {call["operation"] for call in admin.get("/api/v1/usage").json()["calls"]}

    # A call that reads is recorded a moment after it was answered.
    wait_until(lambda: "search_everywhere" in told_calls(), "the search is recorded")
    boss.goto(f"{team.url}/admin?tab=usage")
    told = admin.get("/api/v1/usage").json()
    limits = boss.locator("tr[data-limit]")
    expect(limits).to_have_count(len(told["limits"]))
    expect(boss.locator("tr[data-limit=calls_per_minute]")).to_contain_text("600")
    calls = boss.get_by_role("table", name="Calls by operation")
    expect(calls.get_by_role("row", name=re.compile("search_everywhere"))).to_contain_text(re.compile(r"\d+ ms|\d s"))
    sources = boss.get_by_role("table", name="Other sources").get_by_role("row")
    expect(sources).to_have_count(len(told["upstreams"]) + 1)


def test_calls_are_filtered_and_exported(boss: Page, team: Service, admin: httpx.Client, tmp_path: Path) -> None:
    new_token(admin, "Exporter", ["search"])
    boss.goto(f"{team.url}/admin?tab=calls")
    rows = boss.locator("table.calls tbody tr")
    expect(rows.first).to_be_visible()
    boss.get_by_label("Operation").fill("token_create")
    boss.get_by_role("button", name="Show", exact=True).click()
    expect(rows.filter(has_not_text="token_create")).to_have_count(0)
    expect(rows.filter(has_text="token:boss").first).to_contain_text("ok")
    boss.get_by_label("Outcome").fill("authentication")
    boss.get_by_role("button", name="Show", exact=True).click()
    expect(boss.get_by_text("No calls fit these filters.")).to_be_visible()
    boss.get_by_label("Outcome").fill("")
    with boss.expect_download() as download:
        boss.get_by_role("button", name="Export as CSV").click()
    assert download.value.suggested_filename == "trawl-calls.csv"
    download.value.save_as(tmp_path / "calls.csv")
    with (tmp_path / "calls.csv").open(encoding="utf-8", newline="") as file:
        exported = list(csv.DictReader(file))
    assert {each["operation"] for each in exported} == {"token_create"}
    assert {each["subject"] for each in exported} >= {"token:boss"}
    assert set(exported[0]) >= {"time", "subject", "operation", "object", "outcome", "duration_ms"}
    boss.get_by_label("Until").fill("2020-01-01")
    boss.get_by_role("button", name="Show", exact=True).click()
    expect(rows).to_have_count(0)


def test_an_exported_call_is_no_formula_for_a_spreadsheet(
    page: Page, context: BrowserContext, team: Service, admin: httpx.Client, tmp_path: Path
) -> None:
    sign_in(context, team, new_token(admin, "formula", ["search", "write"]))
    page.goto(f"{team.url}/account")
    page.request.get(f"{team.url}/api/v1/indices/=SUM(A1)")
    rows = page.locator("table.calls tbody tr")
    button = page.get_by_role("button", name="Show", exact=True)
    wait_until(lambda: (button.click(), rows.filter(has_text="SUM").count())[1], "the call is listed")
    with page.expect_download() as download:
        page.get_by_role("button", name="Export as CSV").click()
    download.value.save_as(tmp_path / "calls.csv")
    assert "\n=" not in (text := (tmp_path / "calls.csv").read_text())
    assert ",=" not in text
    assert "'=SUM(A1)" in text


def test_health_says_what_to_do_about_a_part_that_is_down(page: Page, tmp_path: Path) -> None:
    with redis_server() as queue, run_service(tmp_path, env={"TRAWL_REDIS_URL": queue.url}) as service:
        page.goto(f"{service.url}/admin?tab=health")
        parts = page.get_by_role("table", name="Parts of the service")
        expect(parts.get_by_role("row", name=re.compile("^engine"))).to_contain_text("ok")
        expect(parts.get_by_role("row", name=re.compile("^redis"))).to_contain_text("ok")
        workers = parts.get_by_role("row", name=re.compile("^workers"))
        expect(workers).to_contain_text("trawl worker")
        expect(workers.locator(".bad")).to_be_visible()
        queue.kill()
        page.reload()
        expect(parts.get_by_role("row", name=re.compile("^redis"))).to_contain_text("Start Redis again")


def test_who_has_no_scope_admin_sees_no_team(
    page: Page, context: BrowserContext, team: Service, admin: httpx.Client
) -> None:
    sign_in(context, team, new_token(admin, "reader", ["search"]))
    page.goto(f"{team.url}/admin")
    expect(page.locator("main")).to_contain_text("scope admin")
    expect(page.locator("#header a[href='/feed']")).to_be_visible()
    expect(page.locator("#header a[href='/admin']")).to_have_count(0)
    expect(page.get_by_role("tab")).to_have_count(0)
    page.goto(f"{team.url}/feed")
    expect(page.locator("h1")).to_be_visible()
    expect(page.locator("input[type=file]")).to_have_count(0)
    page.goto(f"{team.url}/indices")
    expect(page.locator("h1")).to_be_visible()
    expect(page.locator("main form")).to_have_count(0)


def test_somebody_looks_after_their_own_tokens_and_sees_their_own_calls(
    page: Page, context: BrowserContext, team: Service, admin: httpx.Client
) -> None:
    sign_in(context, team, new_token(admin, "ann", ["search", "write", "admin"]))
    page.goto(f"{team.url}/account")
    expect(page.locator("dl.facts")).to_contain_text("token:ann")
    expect(page.get_by_role("checkbox", name=re.compile("^write"))).to_be_visible()
    expect(page.get_by_role("checkbox", name=re.compile("^ingest"))).to_have_count(0)
    expect(page.get_by_text("No tokens yet.")).to_be_visible()
    page.get_by_label("Name", exact=True).fill("Notes")
    page.get_by_label("Only these indices").fill("archive, default")
    page.get_by_role("button", name="Create token").click()
    made = page.locator("main pre[data-token]")
    expect(made).to_have_text(TOKEN)
    expect(row(page, "Notes")).to_contain_text("only archive, default")
    token = made.inner_text()
    with caller(team, token) as agent:
        assert agent.post("/api/v1/indices/default/search", json={"query": "sea"}).status_code == 200
        assert agent.post("/api/v1/indices/other/search", json={"query": "sea"}).status_code in {403, 404}
    show = page.get_by_role("button", name="Show", exact=True)
    calls = page.locator("table.calls tbody tr")
    wait_until(lambda: (show.click(), calls.filter(has_text="search_index").count())[1], "the agent's call is listed")
    expect(calls.filter(has_text="token_create").filter(has_not_text="own_token_create")).to_have_count(0)
    revoke(page, "Notes")
    wait_until(lambda: status_with(team, token) == 401, "the token is refused")


def test_the_page_is_light_or_dark_as_somebody_chose(boss: Page, team: Service) -> None:
    boss.goto(f"{team.url}/account")
    background = "getComputedStyle(document.body).backgroundColor"
    light, dark = "rgb(251, 251, 249)", "rgb(18, 24, 26)"
    assert boss.evaluate(background) == light
    boss.get_by_role("radio", name="dark").check()
    assert boss.evaluate(background) == dark
    boss.goto(f"{team.url}/jobs")
    assert boss.evaluate(background) == dark
    boss.goto(f"{team.url}/account")
    expect(boss.get_by_role("radio", name="dark")).to_be_checked()
    boss.get_by_role("radio", name="as the system").check()
    assert boss.evaluate(background) == light
    boss.emulate_media(color_scheme="dark")
    assert boss.evaluate(background) == dark


def test_searches_without_results_are_counted_and_their_words_kept_where_the_team_wants_it(
    boss: Page, team: Service, admin: httpx.Client
) -> None:
    wait_until(lambda: admin.get("/api/v1/searches").json()["without_results"], "the search is counted")
    boss.goto(f"{team.url}/admin?tab=searches")
    by_day = boss.get_by_role("table", name="Searches by day").locator("tbody tr").first
    expect(by_day).to_contain_text("100 %")
    found_nothing = boss.get_by_role("table", name="Words that found nothing")
    found_nothing.get_by_role("link", name=UNFOUND).click()
    expect(boss).to_have_url(f"{team.url}/?q={UNFOUND}")
    expect(boss.locator("main")).to_contain_text("Nothing found")
