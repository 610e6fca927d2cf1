"""What all checkers share: digests, limits, shared outcomes, protected files."""
