"""`PlaySession`: a contest between people and agents that can be taken back, resigned and resumed."""

from collections.abc import Sequence
from time import perf_counter
from typing import Literal

import numpy as np

from boardgames_agents.arena.contest import begin_all, chance_of
from boardgames_agents.policy import Forfeit, Policy, demand_legal
from boardgames_agents.record import Record
from boardgames_env.chance import MOST_EVENTS, ChanceStream
from boardgames_env.contest import Contest, Turn, is_same_turn
from boardgames_env.ending import End
from boardgames_env.errors import BadInputError, one_of
from boardgames_env.game import Game
from boardgames_env.kernels import State
from boardgames_env.position import Position

PERSON = "human"
"""The player's name in the record of a contest where a person plays."""

Players = tuple[Policy | None, Policy | None]
"""The policies of seats 0 and 1; ``None`` where a person plays."""


class PlaySession:
    """A contest between people and agents.

    1. With two agents that see everything through `advance`, it is the contest that `arena.contest.play_contest` plays
       with the same seed, and so it is if a person plays the same actions in the place of an agent.
    2. Agents must not learn (`registry.make_player` returns such): a contest that is taken back would count twice.
    3. `undo` begins the contest again and plays it up to there, with the same dice. The agents begin anew, too; one
       that draws random numbers may answer differently afterwards.
       Where there are dice, it goes back to a move of men: nobody rolls, looks at the dice, and then doubles.
    4. A person may resign, for the points of the stake or, where that can still be lost, a multiple of them.
       `undo` takes back a resignation, too.

    Args:
        game: The game.
        players: The policies of seats 0 and 1; ``None`` where a person plays.
        seed: The random seed of the contest.
        actions: Actions that have been played.
        events: Chance events that happen first, whatever the seed.
        start: The position in which the contest begins; by default the initial one of the game.

    Attributes:
        resigned: The seat that has resigned, if one has.
    """

    def __init__(
        self,
        game: Game,
        players: Players,
        seed: Sequence[int],
        actions: Sequence[int] = (),
        events: Sequence[int] = (),
        start: Position | None = None,
    ) -> None:
        self.game, self.players, self.seed = game, players, tuple(seed)
        self._start = start
        self.resigned: int | None = None
        self._lost, self._given_events = 0, events
        self._turns: tuple[Turn, ...] | None = None
        self._begin(actions)

    @classmethod
    def of_record(cls, record: Record, game: Game, players: Players) -> "PlaySession":
        """Return a session at the end of a recorded contest, which goes on if nothing has decided it.

        A contest that goes on with points for a seat was resigned by the other. The record's dice are used as long as
        there are any, after `undo` too.

        Raises:
            BadInputError: If the record is not one of a contest of the game.
        """
        positions = record.positions(game)
        start = record.first(game) if record.start else None
        session = cls(game, players, record.seed, record.actions, record.events, start)
        if session.position.state.tobytes() != positions[-1].state.tobytes():
            raise BadInputError(f"the record has other chance events than a contest of {game.spec}")
        if not session.is_over and record.outcome:
            session.resigned, session._lost = (0 if record.outcome < 0 else 1), abs(record.outcome)
        return session

    @property
    def position(self) -> Position:
        """The current position."""
        return self._contest.position

    @property
    def positions(self) -> tuple[Position, ...]:
        """The position before each action, and the current one."""
        return (*self._positions, self.position)

    @property
    def actions(self) -> tuple[int, ...]:
        """The actions played, in order."""
        return tuple(self._contest.actions)

    @property
    def seat(self) -> int:
        """The seat to move."""
        return self._contest.seat

    @property
    def plies(self) -> int:
        """Number of plies played."""
        return self._contest.plies

    @property
    def is_over(self) -> bool:
        """Whether the contest has ended: on the board, by a limit, or by resignation."""
        return self.resigned is not None or self._contest.is_over

    @property
    def is_cut(self) -> bool:
        """Whether a limit that is no rule has ended the contest."""
        return self.resigned is None and self._contest.is_cut

    @property
    def points(self) -> int:
        """The points of seat 0; 0 while the contest goes on, and if it was cut short."""
        if self.resigned is None:
            return self._contest.points
        return self._lost if self.resigned == 1 else -self._lost

    @property
    def end(self) -> End | Literal[""]:
        """Why the contest has ended; empty while it goes on."""
        return self._contest.end if self.resigned is None else "resigned"

    @property
    def is_persons_turn(self) -> bool:
        """Whether a person is to move."""
        return not self.is_over and self.players[self.seat] is None

    @property
    def turns(self) -> tuple[Turn, ...]:
        """The turns played so far, the last of which may be going on."""
        if self._turns is None:
            self._turns = self.record().turns(self.game)
        return self._turns

    @property
    def before_last_turn(self) -> Position | None:
        """The position before the last turn, which may be going on; ``None`` if nothing has been played."""
        return self.turns[-1].before if self.actions else None

    @property
    def is_within_turn(self) -> bool:
        """Whether the seat to move has begun its turn and may go on with it."""
        if self.is_over or not self.actions:
            return False
        before = self._positions[-1]
        return is_same_turn(before.seat, before.after(self.actions[-1]))

    def play(self, actions: Sequence[int]) -> None:
        """Play a person's actions: the rest of a turn, or the next actions of it. All are checked before any is played.

        Raises:
            BadInputError: If it is not a person's turn, the actions are those of more than one turn or, an
                `IllegalActionError`, one of them is not legal.
        """
        if self.is_over:
            raise BadInputError("the contest is over; nothing more can be played in it")
        if self.players[self.seat] is not None:
            raise BadInputError(f"it is the turn of {self.game.men[self.seat].name}, which an agent plays")
        position = self.position
        for played, action in enumerate(actions):
            if played and (position.seat != self.seat or position.awaits_chance):
                raise BadInputError("these are the actions of more than one turn; play one turn at a time")
            position = position.play(action)
        for action in actions:
            if not self.is_over:  # (a limit may end the contest within a turn)
                self._advance(int(action))

    def advance(self) -> int:
        """Let the agent to move choose an action, play it, and return it.

        Raises:
            Forfeit: If the agent has no legal action to offer; it has then resigned.
            BadInputError: If no agent is to move or (`IllegalActionError`) what it chooses is not legal.
        """
        player = None if self.is_over else self.players[self.seat]
        if player is None:
            raise BadInputError("no agent is to move; the contest is over, or a person is to move")
        position = self.position
        before = perf_counter()
        try:
            action = player.choose(position)
        except Forfeit:
            self.resigned, self._lost = position.seat, self.resignations(position.seat)[0]
            raise
        finally:
            self._seconds[position.seat] += perf_counter() - before
        demand_legal(player, position, action)
        self._advance(action)
        return action

    @property
    def can_undo(self) -> bool:
        """Whether a person has resigned or played something, which `undo` takes back."""
        return self.resigned is not None or bool(self._moves_of_people)

    def undo(self) -> None:
        """Take back a resignation, or else all that was played since the beginning of a person's last move.

        Raises:
            BadInputError: If no person has played anything yet.
        """
        if not self.can_undo:
            raise BadInputError("there is no move of yours to take back")
        if self.resigned is not None:
            self.resigned = None
            return
        self._begin(self.actions[: self._moves_of_people[-1].number])

    @property
    def _moves_of_people(self) -> list[Turn]:
        """The turns of people to which `undo` goes back."""
        every = (turn for turn in self.turns if self.players[turn.seat] is None)
        return [turn for turn in every if not (turn.told and self.game.rules.has_chance)]

    def undo_action(self) -> None:
        """Take back a person's last action while the turn goes on, and otherwise what `undo` does."""
        if self.is_persons_turn and self.is_within_turn:
            self._begin(self.actions[:-1])
        else:
            self.undo()

    def resignations(self, seat: int) -> tuple[int, ...]:
        """Return the points for which a seat can resign: the stake, and multiples of it that can still be lost.

        In a match there is no more to lose than what decides it.
        """
        game, state = self.game, self.position.state
        stake = game.stake(state) if game.stake else 1
        offers = range(stake, (game.losses(state, seat) if game.losses else stake) + 1, stake)
        needed = game.score(state).away[1 - seat] if game.score else offers[-1]
        return tuple(points for points in offers if points < needed + stake)

    def resign(self, seat: int, points: int | None = None) -> None:
        """End the contest; the other seat gets the points, by default those of the stake.

        Raises:
            BadInputError: If the contest is over, no person plays the seat, or it cannot resign that many points.
        """
        if self.is_over:
            raise BadInputError("the contest is over; nobody can resign it")
        if seat not in (0, 1) or self.players[seat] is not None:
            raise BadInputError(f"seat {seat} cannot resign; only people do")
        allowed = self.resignations(seat)
        if points not in (None, *allowed):
            raise BadInputError(f"points={points} is not allowed; a resignation here is for: {one_of(allowed)}")
        self.resigned, self._lost = seat, points or allowed[0]

    def record(self) -> Record:
        """Return the record of the contest. One that is not over counts as cut short, with no points."""
        decisions = [sum(each.seat == seat for each in self._positions) for seat in (0, 1)]
        names = [PERSON if player is None else player.spec for player in self.players]
        return Record(
            game=self.game.spec,
            players=(names[0], names[1]),
            actions=self.actions,
            outcome=self.points,
            cut=self.is_cut or not self.is_over,
            plies=self.plies,
            decisions=(decisions[0], decisions[1]),
            seconds=(self._seconds[0], self._seconds[1]),
            events=tuple(self._contest.events),
            seed=self.seed,
            end=self.end,
            start=tuple(self._start.state.tolist()) if self._start else (),
        )

    def _begin(self, actions: Sequence[int]) -> None:
        """Begin the contest, and play some actions."""
        self._audience = begin_all(self.game, self.players, self.seed)
        self._contest = Contest(self.game, _GivenChance(self.game, self.seed, self._given_events), self._start)
        self._positions: list[Position] = []
        self._turns = None
        self._seconds = [0.0, 0.0]
        for action in actions:
            self.position.check(action)
            self._advance(action)

    def _advance(self, action: int) -> None:
        """Play a legal action, and report it to the policies."""
        position = self.position
        self._positions.append(position)
        self._turns = None
        for policy in self._audience:
            policy.saw(position, action)
        self._contest.advance(action)
        if self._contest.is_over:
            record = self.record()
            for policy in self._audience:
                policy.end(record)


class _GivenChance(ChanceStream):
    """The chance events of a contest with a seed, but for those that are given, which come first."""

    def __init__(self, game: Game, seed: Sequence[int], events: Sequence[int]) -> None:
        self._drawn, self._left = chance_of(game, seed), list(events)
        self._rules = game.rules

    def settle(self, state: State) -> list[int]:
        """Let chance events happen until a seat can move or the contest is over, and return them."""
        if not self._left:
            return self._drawn.settle(state)
        self._drawn.settle(state.copy())  # so that the next one is what it would be after the events of this seed
        happened: list[int] = []
        cases = np.empty(MOST_EVENTS, dtype=np.int32)
        while self._left and (events := self._rules.chance_events.run(state, cases)) > 0:
            if self._left[0] >= events:
                self._left.clear()
                break
            happened.append(self._left.pop(0))
            self._rules.happen.run(state, happened[-1])
        return happened + self._drawn.settle(state)
