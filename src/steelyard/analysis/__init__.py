"""Evidence to reports, comparisons and verdicts: pure, without files, wording or pictures."""
