"""Generate, check, judge and store the samples of a run."""
