"""Debian's Chromium, driven by Playwright."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, expect, sync_playwright

# One machine may run much at a time.
expect.set_options(timeout=20_000)

# A new folder for each start, and no requests that leave this machine.
ARGUMENTS = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-component-update"),
    *("--disable-background-networking", "--disable-sync", "--force-color-profile=srgb"),
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
)


class ChromiumMissing(RuntimeError):
    """There is no Chromium on this machine. The message says how to get it."""


def executable() -> str:
    """Return the path of the browser, or raise `ChromiumMissing`."""
    path = os.environ.get("TRAWL_TEST_CHROMIUM") or shutil.which("chromium")
    if path is None:
        raise ChromiumMissing("Chromium is missing: apt-get install chromium")
    return path


@contextmanager
def chromium() -> Iterator[Browser]:
    """Run a browser while the block runs."""
    path = executable()
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=path, args=list(ARGUMENTS))
        try:
            yield launched
        finally:
            launched.close()
