"""Putting counted evidence together into reports and comparisons, and wording them."""
