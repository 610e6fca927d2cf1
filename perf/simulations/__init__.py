"""Check the promises of the estimators by drawing runs whose truth is known: `python -m perf.simulations`."""
