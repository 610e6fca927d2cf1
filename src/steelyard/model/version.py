"""Say which version of Steelyard this is.

The only place of the number; the build reads it from this file.
"""

VERSION = "0.1.0"
GENERATOR = f"steelyard {VERSION}"
