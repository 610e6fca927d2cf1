"""A gateway between agents and model services: it holds the key, meters and records."""

import steelyard.providers.llm  # noqa: F401  # it explains a missing HTTP library
