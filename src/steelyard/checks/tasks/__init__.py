"""Grade what agents did to a workspace: in a fresh container, out of their reach."""
