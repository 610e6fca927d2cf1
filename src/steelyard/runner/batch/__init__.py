"""Generate answers with vendors' batch APIs, before the session handles the rest."""
