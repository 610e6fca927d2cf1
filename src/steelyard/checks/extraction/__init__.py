"""Find the code in a model's answer."""
