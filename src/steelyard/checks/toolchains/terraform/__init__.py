"""Checking Terraform: what an answer repairs must validate, and must still be there."""
