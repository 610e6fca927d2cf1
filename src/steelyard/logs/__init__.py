"""Read and write the logs of other tools."""
