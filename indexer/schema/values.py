"""Types of metadata values."""

from datetime import datetime

Scalar = str | float | bool
"""A metadata value. Whole numbers are floats, because 2020 equals 2020.0."""
Bound = float | str | datetime
"""One end of a range; dates are parsed."""
