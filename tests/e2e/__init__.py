"""The runner as a whole: `steelyard run` from the command line to the report, over real HTTP."""
