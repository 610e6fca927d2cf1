"""Describe the service's own interface as OpenAPI."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from steelyard.model.outcome import Classification, Integrity
from steelyard.model.version import VERSION
from steelyard.service.admission import Reason
from steelyard.service.requests import BatchRequest, CheckRequest
from steelyard.sources.records import record_adapter

REF = "#/components/schemas/{model}"
NUMBER_OR_NULL = {"type": ["number", "null"]}
COUNT_OR_NULL = {"type": ["integer", "null"]}
ERROR = {
    "type": "object",
    "required": ["kind"],
    "properties": {
        "kind": {"type": "string", "examples": [str(reason) for reason in Reason]},
        "retry_after_s": {"type": "integer"},
        "detail": {"type": "string"},
    },
}
RESULT = {
    "type": "object",
    "required": ["id", "verdict", "reward", "error"],
    "properties": {
        "id": {"type": "string"},
        "verdict": {"enum": [str(kind) for kind in Classification]},
        "reward": {**NUMBER_OR_NULL, "description": "null for infrastructure errors, never 0"},
        "tests": {
            "type": "object",
            "properties": dict.fromkeys(("passed", "failed", "ignored"), COUNT_OR_NULL),
        },
        "integrity": {"enum": [*(str(level) for level in Integrity), None]},
        "sealed_assertions": COUNT_OR_NULL,
        "open_assertions": COUNT_OR_NULL,
        "queue_s": {"type": "number"},
        "wall_s": {"type": "number"},
        "cpu_s": NUMBER_OR_NULL,
        "peak_memory_bytes": COUNT_OR_NULL,
        "memory_limited": {"type": "boolean"},
        "is_repeat": {"type": "boolean", "description": "an equal answer to the case was checked before"},
        "case_digest": {"type": "string"},
        "check_digest": {"type": ["string", "null"]},
        "detail": {"type": "string"},
        "truncated": {"type": "boolean", "description": "whether `detail` was cut"},
        "error": {"anyOf": [{"$ref": REF.format(model="Error")}, {"type": "null"}]},
    },
}


@cache
def openapi_document() -> Mapping[str, Any]:
    """Return the OpenAPI document."""
    schemas: dict[str, Any] = {"Error": ERROR, "Result": RESULT}
    for record in (CheckRequest, BatchRequest):
        schema = record_adapter(record).json_schema(ref_template=REF)
        schemas |= schema.pop("$defs")
    refusals = {
        "422": _response("The request is wrong.", _error_body()),
        "429": _response("The queue is full, or too long for the deadline.", _error_body()),
        "503": _response("The service drains, or its checks fail.", _error_body()),
    }
    return {
        "openapi": "3.1.0",
        "info": {"title": "Steelyard check service", "version": VERSION},
        "paths": {
            "/v1/check": {
                "post": {
                    "summary": "Check one answer.",
                    "requestBody": _body("CheckRequest"),
                    "responses": {
                        "200": _response("The result.", {"$ref": REF.format(model="Result")}),
                        **refusals,
                    },
                }
            },
            "/v1/check/batch": {
                "post": {
                    "summary": "Check many answers; a line of JSON for each, as it ends.",
                    "requestBody": _body("BatchRequest"),
                    "responses": {
                        "200": {
                            "description": "One result a line.",
                            "content": {
                                "application/x-ndjson": {"schema": {"$ref": REF.format(model="Result")}}
                            },
                        },
                        "422": refusals["422"],
                    },
                }
            },
            "/v1/sets": {
                "get": {
                    "summary": "List the served eval sets.",
                    "responses": {"200": {"description": "The sets."}},
                }
            },
            "/healthz": {
                "get": {
                    "summary": "Perform a check with a known result.",
                    "responses": {
                        "200": {"description": "It passed."},
                        "503": {"description": "It did not."},
                    },
                }
            },
        },
        "components": {"schemas": schemas},
    }


def _body(model: str) -> dict[str, object]:
    content = {"application/json": {"schema": {"$ref": REF.format(model=model)}}}
    return {"required": True, "content": content}


def _response(description: str, schema: Mapping[str, object]) -> dict[str, object]:
    return {"description": description, "content": {"application/json": {"schema": schema}}}


def _error_body() -> dict[str, object]:
    return {"type": "object", "properties": {"error": {"$ref": REF.format(model="Error")}}}
