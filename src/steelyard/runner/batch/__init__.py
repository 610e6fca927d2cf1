"""Draw by the batch interfaces of vendors, before a session draws and checks the rest."""
