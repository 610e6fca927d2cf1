"""Find out whether the packages are installed by which texts are read."""

from importlib.util import find_spec

from steelyard.checks.forms.text import html, json
from steelyard.errors import UserError
from steelyard.model.case import Case

# By setting: the package, and how to install it.
PACKAGES = {"json_schema": ("jsonschema", json.MISSING), "html": ("justhtml", html.MISSING)}


def require_text_packages(case: Case) -> None:
    """Raise an error if a package is missing that a setting of a case needs."""
    for setting, (package, missing) in PACKAGES.items():
        if setting in case.expectations.settings and find_spec(package) is None:
            raise UserError(missing)
