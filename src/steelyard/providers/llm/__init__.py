"""Language model services, each vendor's protocol behind one provider."""

from importlib.util import find_spec

from steelyard.errors import UserError

if find_spec("pydantic_ai") is None:
    raise UserError("calling a model needs its client library: pip install 'steelyard[llm]'")
