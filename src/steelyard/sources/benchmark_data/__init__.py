"""The data of public benchmarks: a user's own copy, or one that was fetched and kept."""
