"""How fast a client sends or reads, measured over one period after the other."""

from app.http.connection.limits import LOWEST_RATE


class Pace:
    """Bytes in the current period. A pause that is not the client's begins another one."""

    __slots__ = ("_since", "amount")

    def __init__(self) -> None:
        self.amount = 0
        self._since = 0.0

    def restart(self, now: float) -> None:
        """Begin another period."""
        self.amount = 0
        self._since = now

    def is_too_slow(self, now: float, seconds: float) -> bool:
        """Say, when a period is over, whether too little was moved in it."""
        if now - self._since < seconds:
            return False
        is_slow = self.amount < LOWEST_RATE * seconds
        self.restart(now)
        return is_slow
