"""Whatever the schema allows to be asked, and what it does not, is answered without a failure."""

import logging
import os
from pathlib import Path

import pytest
import schemathesis
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from relsent_ir.web import Settings
from tests.web.browsing import served

CHECKS = (
    not_a_server_error, status_code_conformance, content_type_conformance,
    response_schema_conformance,
)  # fmt: skip
EXAMPLES = int(os.environ.get("SCHEMA_EXAMPLES", "30"))
"""Cases of each address, of what the schema allows and of what it does not."""


@pytest.mark.slow
@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE])
def test_every_way(folder: Path, settings: Settings, mode: GenerationMode) -> None:
    """No 5xx, and only answers of the documented kinds, in their documented shapes."""
    with served(folder / "sample", settings) as at:
        asked = _ask(schemathesis.openapi.from_url(f"{at}/openapi.json"), mode)
    logging.getLogger(__name__).info("%d cases", asked)
    assert asked > 10 * EXAMPLES


def _ask(schema: schemathesis.BaseSchema, mode: GenerationMode) -> int:
    """Ask each way in many ways; gives how often."""
    asked = 0
    for found in schema.get_all_operations():
        operation = found.ok()
        if mode is GenerationMode.NEGATIVE and not operation.query:
            continue

        @given(operation.as_strategy(generation_mode=mode))
        @hypothesis_settings(
            max_examples=EXAMPLES, deadline=None, derandomize=True, database=None,
            suppress_health_check=list(HealthCheck),
        )  # fmt: skip
        def ask(case: schemathesis.Case) -> None:
            nonlocal asked
            case.call_and_validate(checks=list(CHECKS), timeout=60)
            asked += 1

        ask()
    return asked
