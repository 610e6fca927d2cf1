"""Say which version of Steelyard this is.

The number stands here and nowhere else; the build reads it from this file.
"""

VERSION = "0.1.0"
GENERATOR = f"steelyard {VERSION}"
