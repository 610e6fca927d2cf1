"""Generate synthetic problems and outcomes with known success rates."""

from steelyard.sources.synthetic import DEFAULT_RATES, SyntheticPlan, write_synthetic

__all__ = ["DEFAULT_RATES", "SyntheticPlan", "write_synthetic"]
