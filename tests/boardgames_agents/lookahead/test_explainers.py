"""Explanations of every policy: their tables and marks agree with what it plays and with the rules."""

from typing import Any

import numpy as np
import pytest

from boardgames_agents.lookahead.player import explainer_of
from boardgames_agents.policy import Policy
from boardgames_agents.policy.explanation import CHOSEN, Explanation, position_after
from boardgames_agents.registry import make_player, registered_agents
from boardgames_agents.search.mcts import MonteCarlo
from boardgames_agents.training.run import RunConfig, train
from boardgames_env import BadInputError, make_game
from boardgames_env.position import Position

WITH_AN_ARROW = ("perfect", "menace", "q_learning", "td", "mcts(playouts=50)", "alpha_beta", "random")
AFTER = [
    *(("tic_tac_toe", "4 0", spec) for spec in (*WITH_AN_ARROW, "fallible(e=0.5)", "hoyle")),
    ("five_mens_morris", "0 3 1 4", "perfect"),
    ("five_mens_morris", "0 3 1 4", "hoyle"),
    ("fives", "44 45", "fives_student"),
]


def begun(spec: str, game: str) -> Policy:
    policy = make_player(spec, make_game(game))
    policy.begin(make_game(game), (), np.random.default_rng(1))
    return policy


def rolled(number: int, spec: str = "backgammon") -> Position:
    return make_game(spec).initial.events()[number].position


@pytest.mark.parametrize("name", registered_agents())
def test_an_agent_explains_before_any_contest_has_begun(name: str) -> None:
    """Or it refuses, in one sentence, as the games that it plays do."""
    game = make_game("tic_tac_toe")
    try:
        policy = make_player(name, game)
        found = explainer_of(policy, game).explanation(game.initial)
    except BadInputError:
        assert name not in WITH_AN_ARROW
    else:
        assert found.rows


def explained(policy: Policy, position: Position, played: int | None = None) -> Explanation:
    return explainer_of(policy, position.game).explanation(position, played)


def rows(explanation: Explanation) -> dict[str, dict[str, str]]:
    found = [dict(zip(explanation.columns, row, strict=True)) for row in explanation.rows]
    return {row.get("move") or row["moves"]: row for row in found}


@pytest.mark.parametrize(("game", "actions", "spec"), AFTER)
def test_tables_and_marks_are_of_legal_moves(game: str, actions: str, spec: str) -> None:
    position = position_after(make_game(game), actions)
    found = explained(begun(spec, game), position)
    assert found.title.startswith("decided by ")
    assert set(found.numbers) <= set(found.columns)
    assert found.rows
    assert found.marks
    assert any(row[""] == CHOSEN for row in rows(found).values())  # (and each has all columns)
    assert any(mark.is_chosen for mark in found.marks)
    for mark in found.marks:
        assert mark.text
        assert 0 <= mark.weight <= 1
        reached = position
        for action in mark.actions:
            reached = reached.play(action)


@pytest.mark.parametrize(("game", "actions", "spec"), AFTER)
def test_explaining_changes_nothing_that_is_played(game: str, actions: str, spec: str) -> None:
    position = position_after(make_game(game), actions)
    quiet, talkative = begun(spec, game), begun(spec, game)
    for _ in range(3):
        explained(talkative, position)
        assert quiet.choose(position) == talkative.choose(position)


def test_the_arrow_is_at_the_action_that_was_played() -> None:
    position = position_after(make_game("tic_tac_toe"), "4 0")
    for spec in WITH_AN_ARROW:
        found = explained(begun(spec, "tic_tac_toe"), position, played=7)
        texts = [name for name, row in rows(found).items() if row[""] == CHOSEN]
        assert len(texts) == 1
        assert "7" in texts[0].split()


def test_perfect_gives_value_and_distance_of_every_move() -> None:
    position = position_after(make_game("tic_tac_toe"), "0 3 1 4")  # 2 wins, 5 blocks
    found = explained(begun("perfect", "tic_tac_toe"), position)
    assert rows(found)["2"] == {"": CHOSEN, "move": "2", "value": "+1", "plies": "1", "chance": "100%"}
    assert rows(found)["5"]["value"] == "0"
    assert rows(found)["8"] | {"chance": ""} == {"": "", "move": "8", "value": "-1", "plies": "2", "chance": ""}
    assert [mark.text for mark in found.marks[:2]] == ["+1", "="]
    assert found.facts == ("X wins in 1 ply if both sides play perfectly",)
    worst = explained(begun("worst", "tic_tac_toe"), position)
    assert [name for name, row in rows(worst).items() if row[""]] == ["6", "7", "8"]


def test_wins_that_come_too_late_are_draws_to_the_perfect_player() -> None:
    game = make_game("five_mens_morris(plies=30)")
    position = position_after(game, "0 4 1 5")
    policy = begun("perfect", game.spec)
    early = explained(policy, position)
    assert "wins in" in early.facts[0]
    for _ in range(9):
        policy.saw(position, position.legal_actions[0])
        other = position.play(position.legal_actions[3])
        policy.saw(other, other.legal_actions[0])
    assert "draws" in explained(policy, position).facts[0]


def test_predictions_have_outcome_probabilities_and_equities() -> None:
    rolls = (event.position for event in make_game("backgammon").initial.events())
    position = next(each for each in rolls if "white to play 3-1" in each.text)
    best, *others = rows(explained(begun("td_gammon", "backgammon"), position)).values()
    assert best["move"] == "8/5 6/5"
    assert {"win", "win 2", "lose 2", "equity"} <= set(best)
    equities = [float(row["equity"]) for row in (best, *others)]
    assert equities == sorted(equities, reverse=True)


def test_cube_actions_are_explained_by_a_formula() -> None:
    position = rolled(3, "backgammon(cube=True)").moves()[0].afterstate
    found = explained(begun("td_gammon", "backgammon(cube=True)"), position)
    assert set(rows(found)) == {"roll", "double"}
    assert "Janowski" in found.title


def test_visits_add_up_and_means_are_points() -> None:
    position = position_after(make_game("tic_tac_toe"), "0 3 1 4")
    policy = begun("mcts(playouts=300)", "tic_tac_toe")
    found = rows(explained(policy, position))
    assert sum(int(row["visits"]) for row in found.values()) == 300
    assert found["2"]["mean"] == "+1.00"
    assert isinstance(policy, MonteCarlo)
    assert all(-1 <= tried.mean <= 1 for tried in policy.tried(position).values())


def test_the_principal_variation_is_a_line_of_play() -> None:
    position = position_after(make_game("tic_tac_toe"), "0 1 4")  # X threatens 8: O must block, X then wins anyway
    found = explained(begun("alpha_beta", "tic_tac_toe"), position)
    line = found.facts[0].removeprefix("principal variation: ").split()
    assert line[0] == "8"
    for action in line:
        position = position.play(int(action))
    assert rows(found)["8"]["value"] == "loses in 4 plies"


def test_beads_are_those_of_the_box(tmp_path: Any) -> None:
    run = train(tmp_path, RunConfig("tic_tac_toe", "menace", "random", contests=50))
    found = explained(run.learner.frozen(), run.game.initial)
    arrays = run.learner.snapshot().arrays
    beads = arrays["beads"][arrays["states"].tolist().index(run.game.initial.state.tolist())]
    shown = {name: int(each["beads"]) for name, each in rows(found).items()}
    assert shown == {"0 2 6 8": beads[0], "1 3 5 7": beads[1], "4": beads[4]}
    assert len(found.marks) == 9
    assert "holds" in found.facts[0]


def test_who_cannot_explain_is_refused_in_a_sentence() -> None:
    with pytest.raises(BadInputError, match="Taciturn cannot explain its moves"):
        explainer_of(Taciturn(), make_game("backgammon"))


@pytest.mark.parametrize("number", [3, 7, 20])
def test_pubeval_plays_the_move_with_the_highest_score(number: int) -> None:
    position = rolled(number)
    policy = begun("pubeval", "backgammon")
    found = explained(policy, position)
    scores = [float(row["score"]) for row in rows(found).values()]
    assert scores == sorted(scores, reverse=True)
    assert len(scores) == len({move.afterstate for move in position.moves()})
    (chosen,) = [mark.actions for mark in found.marks if mark.is_chosen]
    reached = position
    for action in chosen:
        assert policy.choose(reached) == action
        reached = reached.play(action)
    other = next(action for action in position.legal_actions if action != chosen[0])
    (row,) = [row for row in explained(policy, position, played=other).rows if row[0] == CHOSEN]
    assert row[1] != found.rows[0][1]


def test_pubeval_says_that_it_takes_every_double() -> None:
    game = make_game("backgammon(cube=True)")
    asked = rolled(3, game.spec).moves()[0].afterstate
    doubled = asked.play(game.parse_action("double"))
    for position, chosen in ((asked, "roll"), (doubled, "take")):
        found = explained(begun("pubeval", game.spec), position)
        assert [name for name, row in rows(found).items() if row[""] == CHOSEN] == [chosen]


def test_learners_are_known_by_the_registry() -> None:
    agents = registered_agents()
    assert {"hoyle", "menace", "td", "q_learning"} <= {name for name, entry in agents.items() if entry.learns}
    assert not {"perfect", "mcts", "random", "td_gammon"} & {name for name, entry in agents.items() if entry.learns}


class Taciturn(Policy):
    """An agent of somebody else's that nothing explains."""

    def choose(self, position: Position) -> int:
        return position.legal_actions[0]


class Outspoken(Taciturn):
    """One that explains itself by nothing but the protocol."""

    def explanation(self, position: Position, played: int | None = None) -> Explanation:
        return Explanation("decided by habit", ("", "move"), ((CHOSEN, "the first"),))


class Predicting(Taciturn):
    """One that has an evaluator, and does not explain itself."""

    @property
    def evaluator(self) -> Any:
        return self

    def outcome_probabilities(self, states: Any) -> Any:
        return np.full((len(states), 6), (0.5, 0, 0, 0.5, 0, 0), dtype=np.float32)


def test_agents_of_others_explain_themselves_or_are_explained() -> None:
    game = make_game("tic_tac_toe")
    outspoken = Outspoken()
    assert explainer_of(outspoken, game) is outspoken
    found = explained(Predicting(), position_after(game, "0 3 1 4"))
    assert found.rows[0][1:4] == ("2", "100.0%", "+1.000")
    assert all(row["equity"] == "+0.000" for name, row in rows(found).items() if name != "2")
