"""The one failure of this package."""


class LocalOpenSearchUnavailable(RuntimeError):
    """No local OpenSearch can be had; the message says what is missing and what to do."""
