"""The run store: durable tables of all answers and outcomes of a run."""
