"""Providers: from a request to a reply."""
