"""The network access of agents: a proxy that connects to listed hosts only."""
