"""Pages for a browser: one file each, which asks nobody for anything and holds whatever it shows."""
