"""Games of chance in the arena."""

from dataclasses import replace

import pytest

from boardgames_agents.arena.contest import play_contest
from boardgames_agents.record import Record
from boardgames_agents.registry import make_agent
from boardgames_env import BadInputError, Game, Limits, Position, make_game
from tests.variants import WITH_CHANCE, over

GAME = "hypergammon"

games_of_chance = over(WITH_CHANCE)


def played(game: Game, seed: int = 0, watchers: int = 0) -> Record:
    others = [make_agent("random", game) for _ in range(watchers)]
    return play_contest(game, (make_agent("random", game), make_agent("random", game)), [seed], others)


@games_of_chance
def test_records_are_replayed_with_their_dice(game: Game) -> None:
    seen: list[Position] = []
    player, witness = make_agent("random", game), make_agent("random", game)
    witness.saw = lambda position, action: seen.append(position)  # type: ignore[method-assign]
    record = play_contest(game, (player, player), [3], [witness])
    *chosen, last = record.positions(game)
    assert chosen == seen
    assert last.outcome == record.outcome
    assert len(record.events) >= record.plies - 1


@games_of_chance
def test_dice_have_a_stream_of_their_own(game: Game) -> None:
    record = played(game)
    assert played(game) == record == played(game, watchers=3)
    assert played(game, seed=1).events != record.events
    # whoever plays: the rolls of other contests with the seed are the same, for as long as they go on
    other = play_contest(game, (make_agent("random", game),) * 2, [0])
    assert other.actions != record.actions
    length = min(len(other.events), len(record.events))
    assert length > 5
    assert other.events[:length] == record.events[:length]


def test_a_record_of_another_game_is_refused(game: Game) -> None:
    record = played(game)
    with pytest.raises(BadInputError):
        record.positions(make_game("tic_tac_toe"))
    with pytest.raises(BadInputError, match="ends where chance must decide"):
        replace(record, events=record.events[:3]).positions(game)


def test_a_contest_is_cut_after_so_many_plies(game: Game) -> None:
    record = played(replace(game, limits=Limits(plies=4, plies_draw=False)))
    assert (record.cut, record.plies, record.outcome) == (True, 4, 0)
