"""Prove that the fast tests fail when the code is wrong: `python -m tests.mutations`.

Each mutation changes one line of a copy of the working tree and runs some fast tests on it, which must fail. The
command prints a line for each mutation, and exits with 1 if one was not noticed. `python -m tests.mutations NAME...`
tries some of them. It is not part of `make test`.
"""

import argparse
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
SOURCES = ("boardgames_env", "agents", "baselines", "scripts", "tests", "pyproject.toml")


@dataclass(frozen=True)
class Mutation:
    """A change that tests must notice.

    Attributes:
        name: What is wrong after it.
        file: The file, from the root of the checkout.
        old: Text that is in the file once.
        new: The text in its place.
        tests: The fast tests that must fail, as arguments of pytest.
    """

    name: str
    file: str
    old: str
    new: str
    tests: str


RULES = "boardgames_env/games/"
HOYLE = "agents/boardgames_agents/hoyle/"
TD = "agents/boardgames_agents/td/"
ARENA = "agents/boardgames_agents/arena/"

MUTATIONS = (
    Mutation("line_wins_instead_of_losing", RULES + "lose_tic_tac_toe.py",
             "return -owner if", "return owner if",
             "tests/test_every_game.py -k lose_tic_tac_toe"),
    Mutation("last_line_of_a_board_is_forgotten", RULES + "shared/single_men.py",
             "won |= total == length", "won |= (total == length) & (row + 1 < len(lines))",
             "tests/test_every_game.py tests/test_perft.py -k tic_tac_toe"),
    Mutation("men_fly_too_early", RULES + "morris/morris_kernels.py",
             "if count(own) <= fly_at:", "if fly_at > 0 and count(own) <= fly_at + 1:",
             "tests/test_every_game.py -k 'golden and five_mens_morris'"),
    Mutation("men_in_mills_are_captured", RULES + "morris/morris_kernels.py",
             "allowed = other if any_capture else capturable(bitboard, other)", "allowed = other",
             "tests/test_every_game.py -k 'golden and six_mens_morris'"),
    Mutation("rows_go_on_round_the_edge", RULES + "othello/othello_kernels.py",
             "inside = other & ~(sets.first_column | sets.last_column)", "inside = other",
             "tests/boardgames_env/games/test_othello.py"),
    Mutation("recurrences_are_counted_one_late", "boardgames_env/history.py",
             "return found >= times", "return found > times",
             "tests/boardgames_env/test_history.py"),
    Mutation("the_ply_limit_comes_late", "boardgames_env/history.py",
             "counters[1] >= limits[2]", "counters[1] > limits[2]",
             "tests/boardgames_env/test_contest.py"),
    Mutation("values_are_not_negated", "boardgames_env/solve/retrograde.py",
             "value = values[row] if same else -values[row]", "value = values[row]",
             "tests/boardgames_env/solve/test_position_table.py -k tic_tac_toe"),
    Mutation("the_next_ply_costs_nothing", "boardgames_env/solve/retrograde.py",
             "reached = distance if same else distance + 1", "reached = distance",
             "tests/boardgames_env/solve/test_position_table.py -k achi"),
    Mutation("traces_do_not_fade", TD + "traces.py",
             "    fading[0] *= lambda_\n", "    fading[0] *= 1\n",
             "tests/boardgames_agents/td"),
    Mutation("biases_are_not_learned", TD + "traces.py",
             "        output_bias[o] += times\n", "        output_bias[o] += 0 * times\n",
             "tests/boardgames_agents/td"),
    Mutation("panic_blocks_nothing", HOYLE + "advisors/tier1.py",
             "any((reply.points or 0) > 0 for reply in option.replies)",
             "any((reply.points or 0) > 1 for reply in option.replies)",
             "tests/boardgames_agents/hoyle/test_tier1.py"),
    Mutation("sadder_opposes_won_positions", HOYLE + "advisors/tier1.py",
             "option.points is None and _is(states.after(option), -1)",
             "option.points is None and _is(states.after(option), 1)",
             "tests/boardgames_agents/hoyle/test_tier1.py"),
    Mutation("wiser_takes_its_time", HOYLE + "advisors/tier1.py",
             "plies[option] == min(plies.values())", "plies[option] == max(plies.values())",
             "tests/boardgames_agents/hoyle"),
    Mutation("seats_do_not_alternate", ARENA + "tournament.py",
             "return contest % 2", "return 0",
             "tests/boardgames_agents/arena/test_tournament.py"),
    Mutation("ties_count_as_increases", ARENA + "turing.py",
             "sum(early < late for early, late in pairs)", "sum(early <= late for early, late in pairs)",
             "tests/boardgames_agents/arena/test_turing.py"),
    Mutation("intervals_are_too_narrow", "agents/boardgames_agents/experiments/estimate.py",
             "centre = share + Z**2 / (2 * trials)", "centre = share",
             "tests/boardgames_agents/experiments/test_estimate.py"),
)  # fmt: skip


def is_noticed(mutation: Mutation) -> bool:
    """Return whether the fast tests fail in a copy of the tree with a mutation."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder)
        for name in SOURCES:
            source = ROOT / name
            if source.is_dir():
                shutil.copytree(source, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy(source, copy / name)
        path = copy / mutation.file
        text = path.read_text(encoding="utf-8")
        if text.count(mutation.old) != 1:
            sys.exit(
                f"{mutation.name}: {mutation.file} holds {mutation.old!r} {text.count(mutation.old)} times, not once"
            )
        path.write_text(text.replace(mutation.old, mutation.new), encoding="utf-8")
        roots = [str(copy), *(str(copy / name) for name in SOURCES[1:4])]
        command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *shlex.split(mutation.tests)]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(roots)}
        done = subprocess.run(command, cwd=copy, env=environment, capture_output=True, check=False)
        if done.returncode not in (0, 1):
            sys.exit(f"{mutation.name}: the tests did not run:\n{done.stdout.decode()}")
        return done.returncode == 1


def main() -> int:
    """Try mutations, and return the number of those that no test has noticed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="mutations; by default all")
    names = parser.parse_args().names
    missed = 0
    for mutation in MUTATIONS:
        if not names or mutation.name in names:
            noticed = is_noticed(mutation)
            missed += not noticed
            print(f"{'noticed' if noticed else 'NOT NOTICED':12} {mutation.name}", flush=True)
    return missed


if __name__ == "__main__":
    sys.exit(min(main(), 1))
