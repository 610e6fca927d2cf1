"""Pages for a browser: single HTML files that load nothing from the network."""
