"""Whole services, each in a process of its own, that ask a server of these tests about the web."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager

import pytest

from tests.service import Service, run_service
from tests.upstreams.openai import KEY, OpenAiServer

Start = Callable[..., Service]
PATIENT = "120"


@contextmanager
def web_services(provider: OpenAiServer, factory: pytest.TempPathFactory) -> Iterator[Start]:
    """Give what starts a service, with TRAWL_WEB_* by keyword, and `auth`; all of them end together."""
    key = {"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": provider.url}
    with ExitStack() as stack:

        def start(*, auth: str = "auto", **given: str) -> Service:
            env = {f"TRAWL_WEB_{name}": value for name, value in {"TIMEOUT": PATIENT, **given}.items()}
            return stack.enter_context(run_service(factory.mktemp("service"), env=key | env | {"TRAWL_AUTH": auth}))

        yield start
