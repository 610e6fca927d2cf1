"""Grade answers in any language by tests, built and run by a recipe."""
