"""`python -m tests.page.pictures`: take the pictures for the README, from a service with its sample."""

import sys
import tempfile
from pathlib import Path

import httpx
from playwright.sync_api import Page, expect

from tests.page.chromium import chromium
from tests.service import ROOT, Service, run_service, wait_until, wait_until_ready

IMAGES = ROOT / "docs" / "images"
NAMES = ("search.png", "document.png")
WIDTH, HEIGHT = 1280, 800
TITLE = "A survey of the North Bank by otter trawl"
REPORT = Path(__file__).with_name("survey.md")
SAMPLE = 12
"""How many documents the sample has."""


def take_pictures(page: Page, service: Service, folder: Path) -> None:
    """Write the pictures into a folder. The service has its sample."""
    _add_report(service)
    page.set_viewport_size({"width": WIDTH, "height": HEIGHT})
    page.emulate_media(color_scheme="light", reduced_motion="reduce")
    page.goto(f"{service.url}/?q=otter+trawl&sources=archive,osdu,quilt")
    expect(page.locator("main [data-facet]").first).to_be_visible()
    expect(page.locator("main [data-section=quilt] article").first).to_be_visible()
    report = page.locator("main article[data-id]", has=page.get_by_role("link", name=TITLE, exact=True))
    expect(report.locator("mark").first).to_be_visible()
    wait_until(lambda: (page.keyboard.press("ArrowDown"), report.get_attribute("aria-current"))[1], "it is selected")
    expect(page.locator("main .preview h3", has_text="Matches ·")).to_be_visible()
    expect(page.locator("main .preview svg circle").first).to_be_visible()
    _picture(page, folder / NAMES[0])
    page.keyboard.press("Enter")
    expect(page.locator("main article mark").first).to_be_visible()
    expect(page.locator("main .outline a").first).to_be_visible()
    expect(page.locator("main .citations li").first).to_be_visible()
    _picture(page, folder / NAMES[1])


def _add_report(service: Service) -> None:
    """Add a longer document to the sample, which cites the others."""
    report = {"files": (REPORT.name, REPORT.read_bytes())}
    with httpx.Client(base_url=service.url, trust_env=False, timeout=60) as client:
        wait_until(lambda: client.get("/api/v1/archives/documents").json()["total"] >= SAMPLE, "the sample is read")
        uploaded = client.post("/api/v1/archives/upload", files=report, data={"root": "sample"}).raise_for_status()
        job = f"/api/v1/jobs/{uploaded.json()['job_id']}"
        wait_until(lambda: client.get(job).json()["status"] == "done", "the report is read")


def _picture(page: Page, path: Path) -> None:
    page.wait_for_load_state("networkidle")
    page.mouse.move(0, 0)
    page.screenshot(path=path, animations="disabled")


def main() -> int:
    IMAGES.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory(prefix="trawl-pictures-") as name,
        run_service(Path(name), "--demo") as service,
        chromium() as browser,
        browser.new_context() as context,
    ):
        wait_until_ready(service)
        take_pictures(context.new_page(), service, IMAGES)
    for name in NAMES:
        print(IMAGES / name)
    return 0


if __name__ == "__main__":
    sys.exit(main())
