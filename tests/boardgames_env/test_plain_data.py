"""Games and positions as plain data."""

import json

import jsonschema
import numpy as np
import pytest

from boardgames_env import Game, make_game
from boardgames_env.chance import ChanceStream
from boardgames_env.contest import Contest, turns
from boardgames_env.plain_data import GAME_SCHEMA, POSITION_SCHEMA
from tests.variants import EACH_GAME, over


@pytest.mark.parametrize("schema", [GAME_SCHEMA, POSITION_SCHEMA])
def test_schemas_are_schemas(schema: dict[str, object]) -> None:
    jsonschema.Draft202012Validator.check_schema(schema)


@over(EACH_GAME)
def test_games_and_positions_fit_their_schemas(game: Game) -> None:
    jsonschema.validate(json.loads(json.dumps(game.as_dict())), GAME_SCHEMA)
    rng = np.random.default_rng(1)
    contest = Contest(game, ChanceStream(game, rng) if game.rules.has_chance else None)
    for _ in range(12):
        found = contest.position.as_dict(turns(game.initial, contest.actions, contest.events))
        jsonschema.validate(json.loads(json.dumps(found)), POSITION_SCHEMA)
        assert [each["action"] for each in found["legal_actions"]] == [*contest.position.legal_actions]
        if contest.is_over:
            break
        contest.play(int(rng.choice(contest.position.legal_actions)))


def test_a_position_is_described() -> None:
    game = make_game("five_mens_morris")
    actions = [game.parse_action(text) for text in ("0", "7", "1", "8", "2")]
    position = game.initial
    for action in actions:
        position = position.play(action)
    found = position.as_dict(turns(game.initial, actions))
    assert found["phase"] == "move"
    assert found["to_move"] == "black"
    assert found["board"]["7"] == {"seat": 1, "name": "white", "number": 1}
    assert [each["text"] for each in found["legal_moves"]] == ["x7", "x8"]
    assert [each["text"] for each in found["history"]] == ["0", "7", "1", "8", "2"]
    assert found["result"] is None


def test_a_result_is_described() -> None:
    position = make_game("tic_tac_toe").position([1, 1, 1, 1, -1, -1, 0, 0, 0, 0])
    found = position.as_dict()
    assert found["result"] == {"points": [1, -1], "winner": 0, "end": "line"}
    assert (found["phase"], found["legal_moves"]) == ("over", [])


def test_chance_comes_first() -> None:
    position = make_game("backgammon").initial
    assert (position.as_dict()["phase"], position.as_dict()["chance"]) == ("chance", "")
    rolled = position.happen(3).as_dict()
    assert (rolled["phase"], rolled["chance"]) == ("move", position.happen(3).game.notation.chance(position.happen(3)))  # type: ignore[union-attr, misc]
