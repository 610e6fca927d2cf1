"""Runs inside images, on their own Python from 3.8 on: copied there as files, never imported here."""
