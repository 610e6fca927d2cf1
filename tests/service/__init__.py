"""Tests of the check service."""
