"""The results of version 0.1: the cases of `tests.same_results` that take seconds."""

import json

import pytest

from tests.same_results.compare import RESULTS, cases, differences, facts_of


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name, case in cases().items() if case.get("fast")])
def test_results_are_those_of_version_0_1(name: str) -> None:
    assert not differences(json.loads(RESULTS.read_text())[name], facts_of(cases()[name]))
