"""A sandbox by gVisor: the command meets a kernel of its own."""
