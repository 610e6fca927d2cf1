"""The only way out of an agent's sandbox: a proxy that connects to listed hosts."""
