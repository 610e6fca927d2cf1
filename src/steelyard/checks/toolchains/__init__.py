"""How answers in a language are installed, built and run."""
