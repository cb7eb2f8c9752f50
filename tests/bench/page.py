"""How long it takes from a key press to results on the screen, beside the call of the API that the key press causes."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from statistics import median

from playwright.async_api import Page, Request, async_playwright

from tests.bench.case import searched_case
from tests.bench.engines import Place
from tests.bench.report import Row, Table
from tests.bench.scale import Scale
from tests.page.chromium import ARGUMENTS, executable
from tests.redis import redis_server
from tests.service import run_service

SEARCH = "/api/v1/search"
SHARE = 5
"""One of so many queries is typed, letter by letter."""
SPARE_MS = 50
# Resolves after the frame that shows new results; a message is handled once that frame has been painted.
WATCH = """() => {
  window.shown = new Promise((resolve) => {
    let pressed = 0;
    addEventListener("keydown", (event) => (pressed = event.timeStamp), { once: true, capture: true });
    const observer = new MutationObserver(() => {
      observer.disconnect();
      requestAnimationFrame(() => {
        const painted = new MessageChannel();
        painted.port1.onmessage = () => resolve(performance.now() - pressed);
        painted.port2.postMessage(null);
      });
    });
    observer.observe(document.querySelector("main .results .local"), { childList: true });
  });
}"""
CALL = """async ([path, body]) => {
  const headers = { "Content-Type": "application/json" };
  const started = performance.now();
  const answer = await (await fetch(path, { method: "POST", headers, body })).json();
  const took = performance.now() - started;
  if (!answer.success) throw new Error(answer.error);
  return took;
}"""


@dataclass
class Measured:
    """Milliseconds of each key press, and of the call that it causes, made by itself."""

    screen: list[float] = field(default_factory=list)
    call: list[float] = field(default_factory=list)


def page(places: Mapping[str, Place], scale: Scale) -> Iterator[Table]:
    """Measure on each engine."""
    for place in places.values():
        yield asyncio.run(_page(place, scale))


async def _page(place: Place, scale: Scale) -> Table:
    async with AsyncExitStack() as stack:
        case = await stack.enter_async_context(searched_case(place, scale))
        # with a queue of its own the service starts no worker, which would take part of the processor
        queue = stack.enter_context(redis_server())
        service = stack.enter_context(
            run_service(place.folder, env={**place.environment, "TRAWL_REDIS_URL": queue.url})
        )
        shown = await stack.enter_async_context(_browser_page())
        await shown.goto(service.url)
        queries = case.queries[: max(1, scale.queries // SHARE)]
        # the first round warms up, and says what the page asks
        bodies = await _type_all(shown, queries)
        measured = Measured()
        for number, query in enumerate(queries):
            await _measure(shown, query, bodies, measured, call_first=number % 2 == 0)
    return Table(f"The page on {place.name}: {len(case.files):,} documents", list(_rows(measured)))


@asynccontextmanager
async def _browser_page() -> AsyncIterator[Page]:
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=executable(), args=list(ARGUMENTS))
        try:
            yield await browser.new_page(viewport={"width": 1280, "height": 880})
        finally:
            await browser.close()


async def _type_all(shown: Page, queries: Sequence[str]) -> dict[str, str]:
    """Type all queries, and return the body of the call for each beginning of one."""
    bodies: dict[str, str] = {}

    def keep(request: Request) -> None:
        if request.url.endswith(SEARCH) and request.post_data:
            # a beginning without results is followed by a wider search
            bodies.setdefault(json.loads(request.post_data)["query"], request.post_data)

    shown.on("request", keep)
    for query in queries:
        await _clear(shown)
        for letter in query:
            await _press(shown, letter)
    shown.remove_listener("request", keep)
    return bodies


async def _measure(shown: Page, query: str, bodies: Mapping[str, str], measured: Measured, *, call_first: bool) -> None:
    await _clear(shown)
    for position, letter in enumerate(query, 1):
        if letter == " ":
            await _press(shown, letter)
            continue
        call = [SEARCH, bodies[query[:position]]]
        if call_first:
            measured.call.append(await shown.evaluate(CALL, call))
        measured.screen.append(await _press(shown, letter))
        if not call_first:
            measured.call.append(await shown.evaluate(CALL, call))


async def _clear(shown: Page) -> None:
    box = shown.locator("input[type=search]")
    await box.fill("")
    await shown.locator("main .lesson").wait_for()
    await box.focus()


async def _press(shown: Page, letter: str) -> float:
    """Press a key and return the milliseconds until results are seen; a space alone asks for nothing."""
    if letter == " ":
        await shown.keyboard.press("Space")
        return 0.0
    await shown.evaluate(WATCH)
    await shown.keyboard.press(letter)
    return float(await shown.evaluate("window.shown"))


def _rows(measured: Measured) -> Iterator[Row]:
    screen, call = measured.screen, measured.call
    beyond = [one - 2 * other for one, other in zip(screen, call, strict=True)]
    beside = f"{median(screen):.0f} ms to {median(call):.0f} ms, medians of {len(screen)} key presses"
    yield Row("key press to results on the screen / the API call", median(screen) / median(call), beside)
    yield Row("key press to results beyond the API call, ms, median", median(screen) - median(call), digits=0)
    yield Row("the same beyond twice the API call", median(beyond), at_most=SPARE_MS, digits=0)
