"""Public benchmarks, one module each: metadata and a pure function from records to cases.

Steelyard ships no benchmark texts; `sources/benchmark_data` reads the user's copy.
"""
