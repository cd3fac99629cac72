"""The results of version 0.1: the cases of `tests.same_results` that take seconds."""

import json

import pytest

from tests.same_results.compare import RESULTS, cases, differences, facts_of

SECONDS = {"match_tic_tac_toe"}
"""Those in the fast run; the others that are marked fast are slow tests."""


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[] if name in SECONDS else [pytest.mark.slow])
        for name, case in cases().items()
        if case.get("fast")
    ],
)
def test_results_are_those_of_version_0_1(name: str) -> None:
    assert not differences(json.loads(RESULTS.read_text())[name], facts_of(cases()[name]))
