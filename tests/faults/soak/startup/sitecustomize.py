"""Run by each process whose clock is faked: Python's sleep fails below libfaketime 0.9.10 (its issue 426)."""

import select
import time


def sleep(seconds: float) -> None:
    select.select([], [], [], seconds)


time.sleep = sleep
