"""Public benchmarks, one file each: a description, and a pure function from records to cases.

No text of a benchmark is part of Steelyard; `sources/benchmark_data` reads the user's copy.
"""
