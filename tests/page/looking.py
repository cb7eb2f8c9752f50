"""What a test looks at besides the page: script errors, refused resources, accessibility."""

from playwright.sync_api import BrowserContext, ConsoleMessage, Locator, Page, expect
from playwright.sync_api import Error as ScriptError

# A call that fails on purpose is told by the browser as well as by the page.
EXPECTED = ("Failed to load resource",)


class Looker:
    """Collects what the pages of a context complain about."""

    def __init__(self, context: BrowserContext) -> None:
        self.problems: list[str] = []
        context.on("console", self._hear)
        context.on("weberror", lambda error: self._note(error.error))

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type == "error" and not message.text.startswith(EXPECTED):
            self.problems.append(message.text)

    def _note(self, error: ScriptError) -> None:
        self.problems.append(str(error))


def settled(page: Page) -> None:
    """Wait until the view has drawn what it asked for."""
    page.wait_for_load_state("networkidle")
    expect(page.locator("main [aria-busy=true]")).to_have_count(0)


def tab_to(page: Page, wanted: Locator, most: int = 60) -> None:
    """Press Tab until an element has the focus."""
    for _ in range(most):
        page.keyboard.press("Tab")
        if wanted.evaluate("element => element === document.activeElement"):
            return
    raise AssertionError(f"Tab does not lead to {wanted}")
