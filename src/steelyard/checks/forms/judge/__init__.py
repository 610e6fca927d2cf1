"""Grade answers by a rubric with judge models."""
