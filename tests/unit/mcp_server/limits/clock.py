"""A clock that a test moves."""


class Clock:
    """Seconds since nothing in particular."""

    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        return self.now
