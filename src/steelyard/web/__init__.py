"""The viewer: pages about runs, served to a browser on this machine. It needs the extra `view`."""
