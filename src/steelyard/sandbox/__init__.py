"""Run untrusted commands: by bubblewrap, an OCI runtime or, unsafe, a plain process."""
