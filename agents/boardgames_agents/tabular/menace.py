"""MENACE, the Matchbox Educable Noughts and Crosses Engine (Michie 1961, 1963), for any game.

Implementation details, numbered:

1. *A box for each position, up to symmetry* (Michie 1963): a position and its actions are mapped to the first of its
   images under the board's symmetries. Actions that are equal by the position's own symmetry share a colour. (Michie
   had 287 boxes for the first player's choices at noughts and crosses; this program makes a box when it first meets
   a position, for either seat.)
2. *Beads*. A new box holds ``beads`` of each colour at a player's first turn, one less at each later turn, and at
   least 1: with ``beads=4`` Michie's 4, 3, 2, 1.
3. *A choice* draws a bead; of the actions of its colour, all are equally likely.
4. *Reinforcement*. After a contest each box gets, for every time it was used, ``win``, ``draw`` or ``loss`` beads of
   the colour played (negative numbers are taken out), by the outcome of the seat that used it. A contest that a limit
   cuts short has no outcome, and reinforces nothing.
5. *A box that runs empty is filled again* as if it were new. Michie's machine resigned; contests here are played out.
6. *The boxes that learn* are those of the seats it plays or, if it only watches, of both.
7. *After learning* (`Menace.frozen`) it plays the colour with the most beads, ties broken at random, and any action in
   a position without a box.

Sources: D. Michie, *Trial and Error*, Science Survey 2 (1961); D. Michie, *Experiments on the mechanization of
game-learning, Part I*, The Computer Journal 6 (1963), 232-236.
"""

from collections.abc import Mapping
from itertools import accumulate

import numpy as np

from boardgames_agents.policy import Distribution, Learner, MarkovPolicy, Rng, Snapshot, mixture, uniform
from boardgames_agents.policy.explanation import ConsideredMove, Explanation, counted, explanation_of_moves
from boardgames_agents.record import Record
from boardgames_agents.registry import agent
from boardgames_agents.tabular import face_of
from boardgames_env.chance import refuse_chance
from boardgames_env.errors import BadInputError, require
from boardgames_env.game import Game
from boardgames_env.position import Position, demand_turn

_MOST_BEADS = 1_000_000

Boxes = dict[bytes, dict[int, int]]
"""The matchboxes: beads by colour, by box."""


@agent(
    "menace",
    for_people="Matchboxes: a machine of matchboxes and beads, which learns from every game",
    curves={
        "boxes": "number of boxes: of positions, up to symmetry, in which it has had to choose",
        "beads": "Σ of the beads in all boxes",
        "beads of the first box": "Σ of the beads in the box of the initial position",
    },
)
class Menace(Learner):
    """Michie's matchboxes: beads represent actions, and are added or removed after each contest.

    Args:
        beads: Number of beads of each colour in a box first met at a player's first turn, one less at each later turn.
        win: Beads added for each action of a contest that was won.
        draw: Beads added for each action of a contest that was drawn.
        loss: Beads added for each action of a contest that was lost; usually negative.

    Raises:
        BadInputError: If there is not at least 1 bead, or the game is one of chance.
    """

    def __init__(self, game: Game, beads: int = 4, win: int = 3, draw: int = 1, loss: int = -1) -> None:
        refuse_chance(game, "menace would need a box for every roll of every position")
        require(1, _MOST_BEADS, beads=beads)
        require(-_MOST_BEADS, _MOST_BEADS, win=win, draw=draw, loss=loss)
        self._game = game
        self._most = beads
        self._rewards = {1: win, 0: draw, -1: loss}
        self._boxes: Boxes = {}
        self._contests = 0
        self._played: list[tuple[bytes, int, int]] = []  # boxes, colours and seats

    def begin(self, game: Game, seats: tuple[int, ...], rng: Rng) -> None:
        """Start a contest; the boxes of the seats it plays will learn, or of both if it watches."""
        super().begin(game, seats, rng)
        self._learning = seats or (0, 1)
        self._turns = [0, 0]
        self._played = []

    def choose(self, position: Position) -> int:
        """Draw a bead from the position's box."""
        beads = self._box(position)
        drawn = int(self.rng.integers(sum(beads.values())))
        colour = next(colour for colour, up_to in zip(beads, accumulate(beads.values()), strict=True) if drawn < up_to)
        actions = face_of(position).colours[colour]
        return actions[int(self.rng.integers(len(actions)))] if len(actions) > 1 else actions[0]

    def saw(self, position: Position, action: int) -> None:
        """Note the box and the colour of the action for reinforcement."""
        if position.seat in self._learning:
            face = face_of(position)
            colour = next(colour for colour, actions in face.colours.items() if action in actions)
            self._box(position)
            self._played.append((face.box, colour, position.seat))
        self._turns[position.seat] += 1

    def end(self, record: Record) -> None:
        """Reinforce the actions that were played, unless the contest was cut short."""
        if not record.cut:
            for box, colour, seat in self._played:
                points = record.points_for(seat)
                beads = self._boxes[box]
                beads[colour] = max(0, beads[colour] + self._rewards[(points > 0) - (points < 0)])
            for box in {box for box, _, _ in self._played}:
                if not any(self._boxes[box].values()):
                    del self._boxes[box]  # filled again when it is next met
        self._contests += 1
        self._played = []

    def frozen(self) -> "MenacePlayer":
        """Return a player with a copy of the boxes."""
        return MenacePlayer({box: dict(beads) for box, beads in self._boxes.items()})

    def knowledge(self) -> Mapping[str, float]:
        """Return the numbers of boxes, of all beads, and of the beads in the first box."""
        first = self._boxes.get(self._game.initial.canonical, {})
        return {
            "boxes": len(self._boxes),
            "beads": sum(sum(box.values()) for box in self._boxes.values()),
            "beads of the first box": sum(first.values()),
        }

    def snapshot(self) -> Snapshot:
        """Return the boxes, a row each: the state, and its beads by colour, -1 for a missing colour."""
        boxes = sorted(self._boxes)
        states = np.frombuffer(b"".join(boxes), dtype=np.int8).reshape(len(boxes), self._game.state_size)
        beads = np.full((len(boxes), self._game.num_actions), -1, dtype=np.int64)
        for row, box in enumerate(boxes):
            for colour, count in self._boxes[box].items():
                beads[row, colour] = count
        return Snapshot({"states": states, "beads": beads}, {"contests": self._contests})

    def restore(self, snapshot: Snapshot) -> None:
        """Restore the boxes of a snapshot."""
        wanted = (self._game.state_size, self._game.num_actions)
        arrays = snapshot.arrays
        if set(arrays) != {"states", "beads"} or (arrays["states"].shape[1], arrays["beads"].shape[1]) != wanted:
            raise BadInputError(f"the snapshot holds no matchboxes of {self._game.spec}")
        self._boxes = {
            state.tobytes(): {int(colour): int(beads[colour]) for colour in np.flatnonzero(beads >= 0)}
            for state, beads in zip(arrays["states"].astype(np.int8), arrays["beads"], strict=True)
        }
        self._contests = int(snapshot.data["contests"])

    def _box(self, position: Position) -> dict[int, int]:
        """Return the beads of a position's box, filling it if it is new."""
        face = face_of(position)
        if face.box not in self._boxes:
            count = max(1, self._most - self._turns[position.seat])
            self._boxes[face.box] = dict.fromkeys(face.colours, count)
        return self._boxes[face.box]


class MenacePlayer(MarkovPolicy):
    """A player of the colours with the most beads."""

    def __init__(self, boxes: Boxes) -> None:
        super().__init__()
        self._boxes = boxes

    def beads_in(self, position: Position) -> Mapping[int, int]:
        """Return the beads in a position's box by colour; none if there is no such box."""
        return self._boxes.get(face_of(position).box, {})

    def distribution(self, position: Position) -> Distribution:
        """Return all actions of the colours with the most beads; colours are equally likely."""
        face, beads = face_of(position), self.beads_in(position)
        most = max(beads.get(colour, 0) for colour in face.colours)
        best = [actions for colour, actions in face.colours.items() if beads.get(colour, 0) == most]
        return mixture([(1 / len(best), uniform(actions)) for actions in best])

    def explanation(self, position: Position, played: int | None = None) -> Explanation:
        """Return the beads of the position's box, a row for each colour. An arrow marks the action played."""
        demand_turn(position, position.game)
        face = face_of(position)
        beads = self.beads_in(position)
        counts = {colour: beads.get(colour, 0) for colour in face.colours}
        most, total = max(counts.values()), sum(counts.values())
        text = position.game.action_text
        moves = [
            ConsideredMove(
                " ".join(map(text, face.colours[colour])),
                (str(counts[colour]), f"{counts[colour] / total:.0%}" if total else ""),
                mark=str(counts[colour]),
                weight=counts[colour] / most if most else 0.0,
                is_chosen=counts[colour] == most,
                alike=tuple((action,) for action in face.colours[colour]),
            )
            for colour in sorted(face.colours, key=lambda colour: -counts[colour])
        ]
        return explanation_of_moves(
            "decided by the beads of a matchbox",
            moves,
            legend="the beads of each move in the box",
            numbers=("beads", "share"),
            played=played,
            move="moves",
            facts=(
                f"the box of this position holds {counted(total, 'bead')}"
                if beads
                else "there is no box for this position yet: any action is played",
                f"it has {counted(len(self._boxes), 'box')} in all",
            ),
            glossary=("moves that are equal by symmetry share a colour; the colour with the most beads is played",),
            verdict="" if beads else "has no matchbox for this position yet: it would play any move",
        )
