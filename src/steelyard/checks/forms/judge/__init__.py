"""Ask a model to rate an answer by a rubric."""
