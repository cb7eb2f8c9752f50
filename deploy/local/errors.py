"""The only error that this package raises."""


class LocalOpenSearchUnavailable(RuntimeError):
    """OpenSearch cannot run on this machine. The message says what is missing and what to do."""
