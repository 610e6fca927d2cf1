"""Stage the outcomes of a regrade and apply them."""
