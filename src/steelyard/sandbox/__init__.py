"""Running commands that nobody trusts: bubblewrap, an OCI runtime or, unsafe, a plain process."""
