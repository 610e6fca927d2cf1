"""Draw, check, judge and keep the samples of a run."""
