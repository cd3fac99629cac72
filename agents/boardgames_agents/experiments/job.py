"""Jobs: the units of work that experiments, leagues and sweeps are made of."""

from collections.abc import Sequence
from typing import Any, Protocol, TypeVar

Result = TypeVar("Result")
Result_co = TypeVar("Result_co", covariant=True)


class Job(Protocol[Result_co]):
    """A unit of work whose result depends on its description and on the program alone.

    1. **Description.** It holds everything that determines the result, as JSON can hold it. A result is
       stored under a hash of the description and of the program: the sources and data of `boardgames_env` and
       `boardgames_agents`, and the versions of the libraries they compute with. A job that uses other
       files puts a digest of them into its description.
    2. **Random numbers** come from generators seeded with numbers of the job itself, so the result is the same
       in any process, on any machine, before or after other jobs.
    3. **Independence.** Jobs of a list run in any order and at the same time. A job whose worker was lost runs
       again; one result of it is kept.
    4. **Pickling.** A job is pickled to reach other processes, so its class stands in a module, not in the
       main file. Jobs are frozen and hashable. A `Snapshot` in a job is sent to each machine once.
    5. **Processes and threads.** A process runs one job at a time. A job starts no processes of its own and
       leaves no global state changed.
    6. **Result.** It can be pickled. What a `ResultFile` is to hold is made of JSON's types; tuples are read
       back as lists. Two results are the same if they are equal but for the seconds in them.
    7. **Errors.** `BadInputError` ends the whole list with its sentence; the results so far are kept.
    """

    def description(self) -> dict[str, Any]:
        """Return everything that determines the result."""

    def run(self) -> Result_co:
        """Do the work and return the result."""


Batch = Sequence[tuple[int, Result]]
"""Indices of jobs and their results."""
