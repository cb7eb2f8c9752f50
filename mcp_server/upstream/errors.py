"""Failures that only an upstream causes."""

from indexer.errors import PlatformError


class Provider(PlatformError):
    """The upstream failed, or returned a response that cannot be parsed."""

    category = "provider"
