"""Sandboxes for `trawl serve --demo`: each upstream without settings is connected to one."""

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager

from pydantic import SecretStr
from pydantic_settings import BaseSettings

from app.embedded.on_demand import OnDemandProcess
from app.sandbox.osdu.partition import PARTITION
from app.sandbox.sockets import address_of, listen
from indexer.environment import read_settings
from mcp_server.features.osdu.settings import OsduSettings
from mcp_server.features.quilt.settings import QuiltSettings
from mcp_server.sandbox import OSDU_SANDBOX_TOKEN, QUILT_SANDBOX_KEY


@contextmanager
def connected_sandboxes(*, wanted: bool) -> Iterator[Mapping[str, BaseSettings]]:
    """Give the settings of a sandbox for each upstream that has no address; one process serves them while inside.

    The process starts with the first request, so it costs no time before. Nothing happens where none is wanted.
    """
    osdu, quilt = read_settings(OsduSettings), read_settings(QuiltSettings)
    names = [name for name, address in (("osdu", osdu.url), ("quilt", quilt.catalog_url)) if address is None]
    if not names or not wanted:
        yield {}
        return
    with ExitStack() as stack:
        listeners = {name: stack.enter_context(listen()) for name in names}

        def command(descriptors: Sequence[int]) -> list[str]:
            pairs = zip(names, descriptors, strict=True)
            # -P: a folder named `app` in the current directory must not be imported.
            return [sys.executable, "-P", "-m", "app.sandbox", *(f"{name}={number}" for name, number in pairs)]

        process = OnDemandProcess("sandbox", list(listeners.values()), command)
        process.start()
        stack.callback(process.stop)
        urls = {name: address_of(listener) for name, listener in listeners.items()}
        settings: dict[str, BaseSettings] = {"osdu": osdu, "quilt": quilt}
        if "osdu" in urls:
            token = SecretStr(OSDU_SANDBOX_TOKEN)
            settings["osdu"] = osdu.model_copy(update={"url": urls["osdu"], "partition": PARTITION, "token": token})
        if "quilt" in urls:
            token = SecretStr(QUILT_SANDBOX_KEY)
            settings["quilt"] = quilt.model_copy(update={"catalog_url": urls["quilt"], "token": token})
        yield settings
