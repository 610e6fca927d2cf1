"""List, fetch, run and verify public benchmarks."""
