"""Values of metadata as they are compared."""

from datetime import datetime

Scalar = str | float | bool
"""A metadata value to compare with; whole numbers are floats here, since 2020 equals 2020.0."""
Bound = float | str | datetime
"""An end of a range; a date is a moment by now."""
