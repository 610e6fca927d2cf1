"""The records every part of Steelyard speaks in; standard library only."""
