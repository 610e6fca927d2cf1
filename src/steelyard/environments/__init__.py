"""Containers of podman or docker, through their common API socket."""
