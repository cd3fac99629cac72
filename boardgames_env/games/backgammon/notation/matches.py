"""Matches and money sessions of backgammon: their players, length, scores and contests."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from boardgames_env.errors import BadInputError
from boardgames_env.game import Game
from boardgames_env.games.backgammon.rules import backgammon_board as board
from boardgames_env.games.backgammon.rules.turns import for_the_other_seat
from boardgames_env.match_score import MatchScore
from boardgames_env.position import Position


class Played(Protocol):
    """A contest that has been played, such as an arena's record."""

    @property
    def events(self) -> Sequence[int]:
        """The chance events, in order."""

    @property
    def actions(self) -> Sequence[int]:
        """All actions, in order."""

    @property
    def outcome(self) -> int:
        """The points of seat 0; 0 if the contest was broken off."""


@dataclass(frozen=True)
class MatchContest:
    """A contest read from a match file.

    Attributes:
        events: What chance has decided, in order.
        actions: Every action, in order; where a play can be made in several orders, one of them.
        outcome: The points of seat 0; 0 if the file does not tell. A seat that resigns loses what the file says, by
            the winner's line, or else by the scores before the next game, or else by how it resigns.
    """

    events: tuple[int, ...]
    actions: tuple[int, ...]
    outcome: int


@dataclass(frozen=True)
class Match:
    """The contests of one match or session.

    Attributes:
        game: The game of a money session; in a match, the same rules are played at the score of the match.
        players: What seats 0 and 1 are called, in all contests.
        contests: The contests, in order; those of a match are its games.
        length: How many points win the match; 0 for a money session.
        scores: The two seats' points before the first contest.
        warnings: What a reader of the match should know: that there are more in the file, or where reading ended.
    """

    game: Game
    players: tuple[str, str]
    contests: Sequence[Played]
    length: int = 0
    scores: tuple[int, int] = (0, 0)
    warnings: tuple[str, ...] = field(default=(), compare=False)

    @property
    def game_of_contests(self) -> Game:
        """The game of the contests: one game of a match, or that of a money session.

        Raises:
            BadInputError: If there is no such match of the game.
        """
        return self.game.at_score(MatchScore.begun(self.length)) if self.length else self.game

    @property
    def scores_after(self) -> tuple[int, int]:
        """The two seats' points after the contests."""
        outcomes = [contest.outcome for contest in self.contests]
        first, second = self.scores
        return first + sum(max(each, 0) for each in outcomes), second + sum(max(-each, 0) for each in outcomes)

    @property
    def starts(self) -> tuple[Position, ...]:
        """The position at the start of each contest, and of the next one, unless the match is won.

        Raises:
            BadInputError: If a game follows the end of the match, or there is no such match.
        """
        if not self.length:
            return (self.game.initial,) * (len(self.contests) + 1)
        return tuple(start_of_game(self.game_of_contests, score) for score in self.scores_before)

    @property
    def scores_before(self) -> tuple[MatchScore, ...]:
        """The score of a match before each contest, and before the next one, unless the match is won.

        Raises:
            BadInputError: As `starts`.
        """
        score, scores = MatchScore.begun(self.length, self.scores), list[MatchScore]()
        for contest in self.contests:
            if score.winner is not None:
                raise BadInputError(f"the match to {self.length} points is won, and there can be no more games")
            scores.append(score)
            score = score.after(contest.outcome)
        return (*scores, *([score] if score.winner is None else []))


def start_of_game(game: Game, score: MatchScore) -> Position:
    """Return the initial position of one game of a match, at a score."""
    state = game.initial.state.copy()
    state[board.AWAY : board.AWAY + 2], state[board.CRAWFORD] = score.away, score.is_crawford
    return game.position(state)


def games_of(match: Game, contest: Played) -> list[MatchContest]:
    """Return the games of a contest of a game whose contests are whole matches; one that was broken off counts."""
    position, left = match.initial, (iter(contest.events), iter(contest.actions))
    games, decided = list[MatchContest](), (list[int](), list[int]())
    while True:
        points = position.part.outcome
        if points is not None:
            games.append(MatchContest(tuple(decided[0]), tuple(decided[1]), points))
            decided = ([], [])
        if position.is_over:
            return games
        kind = 0 if position.awaits_chance else 1
        choice = next(left[kind], None)
        if choice is None:
            return [*games, *([MatchContest(tuple(decided[0]), tuple(decided[1]), 0)] if decided[0] else [])]
        decided[kind].append(choice)
        position = position.play(choice) if kind else position.happen(choice)


def seats_exchanged(contest: Played) -> MatchContest:
    """Return a contest with the seats exchanged. (A column of a match file is a player.)"""
    events = tuple(contest.events)
    return MatchContest((*map(for_the_other_seat, events[:1]), *events[1:]), tuple(contest.actions), -contest.outcome)
