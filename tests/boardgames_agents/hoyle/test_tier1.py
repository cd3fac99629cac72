from collections import Counter
from collections.abc import Sequence

import numpy as np
import pytest

from boardgames_agents.hoyle.advisors import registered_advisors
from boardgames_agents.hoyle.game_frame import frame_of
from boardgames_agents.hoyle.items import as_rows
from boardgames_agents.hoyle.options import HoyleOptions
from boardgames_agents.hoyle.useful_knowledge import Knowledge
from boardgames_agents.policy import Snapshot
from boardgames_env import Game, Position, make_game
from tests.boardgames_agents.hoyle.situation import advisor_of, comments, contest_of, knowledge_of, views_of, walk
from tests.positions import play
from tests.variants import over

GAME = "tic_tac_toe"
DIFFICULT = (0, 4, 8)
LOST = (*DIFFICULT, 6, 2, 1, 5)

Worth = tuple[Sequence[int], int, int]
FAITHFUL, OURS = HoyleOptions(program="2001").settled(captures=True), HoyleOptions().settled(captures=True)
TIER_1 = [made for made in registered_advisors() if made.tier == 1 and made.belongs_to(FAITHFUL)]


def knowing(game: Game, *worths: Worth) -> Knowledge:
    """Knowledge of what these positions are worth to the seat to move, and within how many plies."""
    knowledge, views = knowledge_of(game), views_of(game)
    keys = [views.view_of(play(game.initial, *actions)).key for actions, _, _ in worths]
    values = np.array([worth for _, *worth in worths], dtype=np.int64).reshape(len(keys), 2)
    nothing = as_rows([], game.state_size)
    arrays = {"significant": as_rows(keys, game.state_size), "worths": values, "dangerous": nothing, "chances": nothing}
    knowledge.states.restore(Snapshot(arrays))
    return knowledge


def after_losing() -> Knowledge:
    """What is known after the difficult position has been lost."""
    game = make_game(GAME)
    knowledge = knowledge_of(game)
    knowledge.states.learn(contest_of(game, LOST))
    return knowledge


def says(name: str, position: Position, knowledge: Knowledge | None = None) -> dict[int, int]:
    """An Advisor's comments by the first action of each move."""
    knowledge = knowledge or knowing(position.game)
    return comments(advisor_of(knowledge, name), views_of(position.game).view_of(position))


def test_the_order_is_the_paper_s(game: Game) -> None:
    names = [made(knowing(game)).name for made in TIER_1]
    assert names == ["Victory", "Wiser", "Sadder", "Don't Lose", "Panic", "Enough Rope", "Shortsight"]
    ours = [made.name for made in registered_advisors() if made.tier == 1 and made.belongs_to(OURS)]
    assert ours == [*names, "Farsight"]


@over(["tic_tac_toe", "lose_tic_tac_toe", "achi", "mu_torere", "five_mens_morris"])
def test_by_the_rules_alone_they_say_what_the_rules_say(game: Game) -> None:
    """Victory, Don't Lose, Panic and Enough Rope against the rules, without knowledge; the others are silent."""
    advisors = {each.name: each for each in (made(knowing(game)) for made in TIER_1)}
    heard: Counter[str] = Counter()
    for position in walk(game, 6):
        view, seat = views_of(game).view_of(position), position.seat
        reached = {move.actions: move.afterstate for move in position.moves()}
        points = {actions: state.points_for(seat) for actions, state in reached.items()}
        replies = {
            actions: [move.afterstate.points_for(1 - seat) for move in state.moves()] if not state.is_over else []
            for actions, state in reached.items()
        }
        opinions = {name: each.comment(view, view.choices) for name, each in advisors.items()}
        said = {
            name: {actions: strength for option, strength in opinion.items() for actions in option.alike}
            for name, opinion in opinions.items()
        }
        wins = {actions for actions in reached if points[actions] == 1}
        assert set(said["Victory"].items()) <= {(actions, 10) for actions in wins}
        assert len(opinions["Victory"]) == bool(wins)
        assert said["Don't Lose"] == {actions: 0 for actions in reached if points[actions] == -1}
        exposed = {actions for actions in reached if 1 in replies[actions]}
        safe = {actions for actions in reached if actions not in exposed and points[actions] != -1}
        assert said["Panic"] == (dict.fromkeys(safe, 10) if exposed else {})
        rope = {actions for actions in reached if -1 in replies[actions]}
        assert said["Enough Rope"] == ({actions: 0 for actions in reached if actions not in rope} if rope else {})
        assert not said["Sadder"]
        assert set(said["Wiser"]) == wins  # one ply ahead, the rules are known
        heard.update(name for name, opinion in opinions.items() if opinion)
    lines_lose = game.name == "lose_tic_tac_toe"  # no move of one's own wins
    assert all(heard[name] for name in (("Don't Lose", "Enough Rope") if lines_lose else ("Victory", "Panic")))


FORKED = (((0, 4, 8, 6, 2), -1, 2),)
"""O has lost when X forks."""
ANSWERED = tuple(((0, 4, 8, 6, 2, reply), 1, 1) for reply in (1, 5, 3, 7))
"""X has won though O answers its fork."""
SOONEST = (((0, 1, 3), -1, 4), ((0, 1, 4), -1, 2), ((0, 1, 6), -1, 4))
"""X wins by more than one move; these are told to take longer and less long."""


@pytest.mark.parametrize(
    ("name", "actions", "worths", "expected"),
    [
        ("Wiser", (0, 4, 8, 6), None, {2: 10}),
        ("Wiser", (0, 4, 8, 6), (), {}),
        ("Wiser", DIFFICULT, None, {}),
        ("Wiser", (0, 1), SOONEST, {4: 10}),
        ("Sadder", (0, 4), None, {}),
        ("Sadder", DIFFICULT, (), {}),
        # X's opening in a corner leaves O what is known to lose
        ("Enough Rope", (), (((0, 1), 1, 5),), {1: 0, 3: 0, 4: 0, 5: 0, 7: 0}),
        ("Shortsight", DIFFICULT, FORKED, {2: 0, 6: 0}),
        ("Sadder", DIFFICULT, FORKED, {}),  # that would be seen one ply ahead
        ("Shortsight", DIFFICULT, (), {}),
        # but for 2, O would win there
        ("Shortsight", (0, 4, 8, 6), ANSWERED, {2: 10, 1: 0, 3: 0, 5: 0, 7: 0}),
        ("Wiser", (0, 4, 8, 6), ANSWERED, {}),
        # 3 and 7 are not known to lose
        ("Shortsight", (0, 4, 8, 6), ANSWERED[:2], {1: 0, 3: 0, 5: 0, 7: 0}),
    ],
)
def test_what_follows_from_known_states(
    name: str, actions: tuple[int, ...], worths: tuple[Worth, ...] | None, expected: dict[int, int], game: Game
) -> None:
    """Known are the worths of some states, or what a lost contest has taught."""
    knowledge = after_losing() if worths is None else knowing(game, *worths)
    assert says(name, play(game.initial, *actions), knowledge) == expected


def test_sadder_does_not_go_where_it_is_known_to_lose(game: Game) -> None:
    knowledge = after_losing()
    for symmetry in frame_of(game).symmetries:
        turned = [symmetry[action] for action in DIFFICULT]
        assert says("Sadder", play(game.initial, *turned), knowledge) == {symmetry[2]: 0, symmetry[6]: 0}
