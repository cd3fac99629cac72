"""The batched Gymnasium environment of every game: all copies take a step within one kernel."""

import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress
from copy import deepcopy
from functools import cache, partial
from threading import Lock
from typing import Any

import gymnasium
import numpy as np
from gymnasium.error import ResetNeeded
from gymnasium.utils.seeding import np_random
from gymnasium.vector import AutoresetMode, SyncVectorEnv, VectorEnv
from gymnasium.vector.utils import batch_space
from gymnasium.wrappers import TimeLimit
from numpy.typing import DTypeLike, NDArray

from boardgames_env.chance import stream_from
from boardgames_env.envs.batch import (
    CALLER,
    ILLEGAL_END,
    NOBODY,
    RANDOM_ACTIONS,
    first_illegal,
    step_kernel,
    step_kernel_on_threads,
)
from boardgames_env.envs.batch_arrays import (
    ALONE,
    BEGUN,
    BatchKept,
    BatchTurn,
    Copies,
    Final,
    Opening,
    Returned,
    make_batch_kept,
    make_copies,
)
from boardgames_env.envs.observations import FLAT, Observation, Observations
from boardgames_env.envs.opponent import RANDOM, BatchOpponent, BatchPlayer, Opponent, make_opponent
from boardgames_env.envs.screen import Screen
from boardgames_env.envs.single import BoardGameEnv, Seat, check_seat
from boardgames_env.envs.view import action_space, as_seed, chosen_game, show_page
from boardgames_env.errors import BadInputError, one_of, require_whole
from boardgames_env.game import Game
from boardgames_env.kernels.signatures import Bools, Float64s, Int8s, Int64s
from boardgames_env.position import Position

_ROOM = 64
"""The number of positions that may recur for which there is room at first."""

_on_threads = Lock()  # not all of Numba's threading layers can be used from several threads at once

_NONE = np.empty(0, dtype=np.int64)
"""No copies."""

_NO_FINAL = Final(
    np.empty((0, 0), dtype=np.float32), np.empty((0, 0), dtype=np.int8), _NONE, np.empty(0, dtype=np.int8)
)

Step = tuple[Observation, Float64s, Bools, Bools, dict[str, Any]]


def make_vector_env(
    game: Game | str,
    num_envs: int = 1,
    opponent: Opponent | str | None = RANDOM,
    autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
    max_episode_steps: int | None = None,
    disable_env_checker: bool | None = None,
    **options: Any,
) -> "VectorEnv[Observation, Int64s, NDArray[Any]]":
    """Make a batch of copies of a `BoardGameEnv`, which takes the same arguments.

    One kernel steps the copies against ``"random"``, against oneself, and against policies that can play in many copies
    at once: those whose choice depends on the position alone. Against others each copy is stepped by itself, with an
    opponent of its own, and a line on stderr says so, once. A policy given as an object is copied. Both take
    `BoardGameVectorEnv`'s ``autoreset_mode`` and ``max_episode_steps``. Neither has an environment checker to disable.
    """
    require_whole(1, num_envs=num_envs)
    limits: dict[str, Any] = {"autoreset_mode": autoreset_mode, "max_episode_steps": max_episode_steps}
    with suppress(_OneByOneError):
        return BoardGameVectorEnv(game, num_envs, opponent, **limits, **options)
    mode, most_steps = _checked_mode(autoreset_mode), _checked_steps(max_episode_steps)
    copies = [deepcopy(opponent) for _ in range(num_envs)]
    made = SyncVectorEnv([partial(_make_copy, game, copy, most_steps, options) for copy in copies], autoreset_mode=mode)
    _note_slow_batch()
    return made


class _OneByOneError(BadInputError):
    """An opponent does not play in many copies at once."""


def _make_copy(
    game: Game | str, opponent: Opponent | str | None, most_steps: int, options: dict[str, Any]
) -> gymnasium.Env[Observation, int]:
    env = BoardGameEnv(game, opponent, **options)
    return TimeLimit(env, most_steps) if most_steps else env


@cache
def _note_slow_batch() -> None:
    print(
        "A batch against an opponent that plays one contest at a time is a SyncVectorEnv: "
        "each copy is stepped by itself, in Python",
        file=sys.stderr,
        flush=True,
    )


class BoardGameVectorEnv(VectorEnv[Observation, Int64s, NDArray[Any]]):
    """Copies of a `BoardGameEnv`, stepped by one kernel.

    It returns the same as Gymnasium's ``SyncVectorEnv`` of such copies with the same seeds and ``autoreset_mode``, but
    for ``end``.
    ``infos`` holds ``action_mask``, shape ``(num_envs, num_actions)``, and ``seat``; where an action was illegal,
    ``illegal_action`` and ``illegal_seat``. Why contests have ended is a number in ``end``, shape ``(num_envs,)``:
    ``boardgames_env.ending.ENDS[number]`` is the word, empty while a contest goes on; -1 where one has just begun.

    The arguments and errors that are not listed are those of `BoardGameEnv`.

    Args:
        num_envs: Number of copies.
        opponent: As in `BoardGameEnv`, if it can play in many copies at once; `make_vector_env` takes any.
        render_mode: As in `BoardGameEnv`, except ``"human"``.
        threads: Number of threads that share the copies, with the same results, in games without a limit on
            recurrences. With OpenMP, a process that has used Numba's threads must not be forked.
        autoreset_mode: When a copy whose contest is over begins another: in the next step, which ignores its action;
            in the same step, with the last observation and info in ``infos["final_obs"]`` and ``infos["final_info"]``;
            or only when the caller resets it, by the option ``reset_mask``.
        max_episode_steps: The number of the caller's steps after which a contest is truncated, as by Gymnasium's
            ``TimeLimit``; ``None`` for no limit.

    Raises:
        BadInputError: For an unknown mode, less than one copy, thread or step, or threads for a game with a limit on
            recurrences.
    """

    def __init__(
        self,
        game: Game | str,
        num_envs: int,
        opponent: Opponent | str | None = RANDOM,
        seat: Seat = "alternate",
        render_mode: str | None = None,
        threads: int = 1,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        max_episode_steps: int | None = None,
        render_size: int = 480,
        render_labels: bool = True,
        observation: str = FLAT,
        dtype: DTypeLike = np.float32,
        **options: Any,
    ) -> None:
        self.game = chosen_game(game, options)
        show_page(self)
        check_seat(seat, opponent)
        require_whole(1, num_envs=num_envs)
        self._player = _batch_player(opponent, self.game, num_envs)
        _check_threads(threads, self.game, opponent)
        if render_mode == "human":
            raise BadInputError("render_mode='human' shows one contest, not a batch; make a BoardGameEnv for that")
        self.autoreset_mode = _checked_mode(autoreset_mode)
        self._threads = int(threads)
        self.num_envs = num_envs = int(num_envs)
        self.render_mode = render_mode
        self.metadata = {**BoardGameEnv.metadata, "autoreset_mode": self.autoreset_mode}
        self._observations = Observations(self.game, observation, dtype)
        self.single_observation_space = self._observations.space
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.single_action_space = action_space(self.game)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._screen = Screen(self.game.title, render_mode, render_size, render_labels)
        # a contest's beginning turns an alternating seat: from 1 to 0 for the first
        self._seat_before = ALONE if opponent is None else 1 if seat == "alternate" else seat
        initial = np.zeros(self.game.state_size, dtype=np.int8)
        self.game.ready.rules.initial(initial)
        self._opening = Opening(
            initial,
            turn=int(seat == "alternate" and opponent is not None),
            symmetries=self.game.slot_symmetries,
            limits=np.array(self.game.kernels.limits, dtype=np.int32),
            most_steps=_checked_steps(max_episode_steps),
        )
        self._answering = NOBODY if opponent is None else RANDOM_ACTIONS if self._player is None else CALLER
        self._copies = make_copies(self.game, num_envs)
        self._everywhere = np.arange(num_envs)
        self._copies.states[:] = self._opening.state
        self._before = np.tile(self._opening.state, (num_envs, 1))  # the states before the last step, for pictures
        room = _ROOM if self.game.limits.recurrences else 1
        self._kept = make_batch_kept(num_envs, room, self.game.state_size)
        self._is_reset = False
        (step_kernel if threads == 1 else step_kernel_on_threads)(self.game)

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin a contest in every copy, or in those of the option ``reset_mask``.

        ``seed`` has a seed for each copy, or is a number: copy i then has ``seed + i``. The streams of a copy without a
        seed go on. ``reset_mask`` is an array of booleans, shape ``(num_envs,)``. The other copies go on: their
        observations, masks and seats are returned as they are, and ``_action_mask`` and ``_seat`` mark those that
        begin. Another such mask, another number of seeds than copies, and a seed that is not a whole number of at least
        0 raise `BadInputError`; nothing has then been seeded.
        """
        chosen, seeds = self._reset_mask(options), self._seeds(seed)
        for i, each in enumerate(seeds):
            if chosen[i] and (each is not None or not self._is_reset):
                rng = np_random(each)[0]
                if self.game.rules.has_chance:
                    self._copies.dice[i] = stream_from(rng)
                if self._player is not None:
                    self._player.seed(i, rng)
                else:
                    self._copies.streams[i] = stream_from(rng)
                self._copies.seats[i] = self._seat_before
        self._copies.over[chosen] = True
        self._is_reset = True
        if chosen.all():
            observations, _, _, _, infos = self._step(np.zeros(self.num_envs, dtype=np.int64))
            return observations, infos
        which = np.flatnonzero(chosen)
        self.step_some(which, np.zeros(len(which), dtype=np.int64))
        return self._current(chosen)

    def step(self, actions: Int64s) -> Step:
        """Play an action in every copy whose contest goes on; begin another in the others.

        ``actions`` are whole numbers, shape ``(num_envs,)``; others raise `BadInputError`, and a step before the first
        reset `ResetNeeded`. So does, with ``AutoresetMode.DISABLED``, a step while a contest is over.
        """
        if not self._is_reset:
            raise ResetNeeded("no contest is going on; call reset()")
        given = _whole_numbers("actions", actions, self.num_envs)
        if self.autoreset_mode is AutoresetMode.DISABLED and self._copies.over.any():
            count = np.count_nonzero(self._copies.over)
            raise ResetNeeded(f"{count} contests are over; reset these copies by the option reset_mask")
        return self._step(given, self.autoreset_mode is AutoresetMode.SAME_STEP)

    def render(self) -> tuple[Any, ...]:
        """Draw every copy in the environment's render mode; pictures mark what the last step has changed."""
        shown = zip(self._positions(self._copies.states), self._positions(self._before), strict=True)
        return tuple(self._screen.draw(position, before) for position, before in shown)

    def _positions(self, states: Int8s) -> list[Position]:
        return [Position.unchecked(self.game, state.copy()) for state in states]

    def step_some(self, which: Int64s, actions: Int64s) -> Step:
        """Let only some copies take a step; those whose contest is over begin another, whatever the autoreset mode.

        So a caller can begin the next contest at once when one has ended, or play a seat of some copies with one
        policy and of the others with another. Returns the results of `step` for these copies alone, in this order.

        Args:
            which: The indices of the copies, each at most once; shape ``(K,)``. Negative ones count from the end.
            actions: Their actions, shape ``(K,)``; that of a contest which is over is ignored.

        Raises:
            BadInputError: If one of them is not made of K whole numbers, or an index is out of range or comes twice.
            ResetNeeded: Before the first reset.
        """
        if not self._is_reset:
            raise ResetNeeded("no contest is going on; call reset()")
        which = _whole_numbers("which", which)
        _check_indices(which, self.num_envs)
        actions = _whole_numbers("actions", actions, len(which))
        self._note_states(which)
        # (faster than array[which])
        some = Copies._make([array.take(which, axis=0) for array in self._copies])
        kept = BatchKept._make([array.take(which, axis=0) for array in self._kept])
        step, kept = self._step_in(which, some, kept, actions)
        if missing := kept.marks.shape[1] - self._kept.marks.shape[1]:
            marks, keys = self._kept
            self._kept = BatchKept(np.pad(marks, ((0, 0), (0, missing))), np.pad(keys, ((0, 0), (0, missing), (0, 0))))
        parts: Iterable[tuple[NDArray[Any], NDArray[Any]]]
        parts = zip((*self._copies, *self._kept), (*some, *kept), strict=True)
        for array, part in parts:
            array[which] = part
        return step

    def _step(self, actions: Int64s, is_followed: bool = False) -> Step:
        """Let all copies take a step, which the next contests follow at once if ``is_followed``."""
        self._note_states(slice(None))
        step, self._kept = self._step_in(self._everywhere, self._copies, self._kept, actions, is_followed)
        return step

    def _note_states(self, which: Int64s | slice) -> None:
        """Note the states before a step, if pictures are drawn; a contest that begins has its initial one."""
        if self.render_mode is not None:
            is_over = self._copies.over[which, None]
            self._before[which] = np.where(is_over, self._opening.state, self._copies.states[which])

    def _step_in(
        self, which: Int64s, copies: Copies, kept: BatchKept, actions: Int64s, is_followed: bool = False
    ) -> tuple[Step, BatchKept]:
        """Let the copies ``which`` take a step. Return its results, and the positions kept after it."""
        size = len(actions)
        returned = Returned(
            observations=np.empty((size, self.game.num_features), dtype=np.float32),
            masks=np.empty((size, self.game.num_actions), dtype=np.int8),
            rewards=np.empty(size),
            terminations=np.empty(size, dtype=np.bool_),
            truncations=np.empty(size, dtype=np.bool_),
            seats=np.empty(size, dtype=np.int64),
            ends=np.empty(size, dtype=np.int8),
        )
        turn = BatchTurn(np.empty(size, dtype=np.bool_), np.empty(size, dtype=np.int64))
        kept = self._play(which, copies, kept, actions, _NONE, turn, returned, _NO_FINAL)
        infos = _infos(returned.masks, returned.seats, np.ones(size, dtype=np.bool_))
        if is_followed and len(ended := np.flatnonzero(copies.over)):
            final = Final(
                observations=np.empty((len(ended), self.game.num_features), dtype=np.float32),
                masks=np.zeros(returned.masks.shape, dtype=np.int8),
                seats=np.zeros(size, dtype=np.int64),
                ends=np.full(size, BEGUN, dtype=np.int8),
            )
            has_ended = copies.over.copy()
            self._before[which[ended]] = self._opening.state
            kept = self._play(which, copies, kept, actions, ended, turn, returned, final)
            infos |= self._final_infos(final, actions, ended, has_ended)
        infos |= _infos_of_ends(returned, actions)
        observations = self._observations.show(returned.observations)
        return (observations, returned.rewards, returned.terminations, returned.truncations, infos), kept

    def _play(
        self,
        which: Int64s,
        copies: Copies,
        kept: BatchKept,
        actions: Int64s,
        ended: Int64s,
        turn: BatchTurn,
        returned: Returned,
        final: Final,
    ) -> BatchKept:
        """Let the kernel take the step, with the opponent's answers. Return the positions that are kept after it."""
        if self._threads > 1 and len(which) == self.num_envs:
            with _on_threads:
                step = step_kernel_on_threads(self.game)
                step.run(self._opening, copies, actions, ended, turn, returned, final, self._answering, self._threads)
            return kept
        player, step = self._player, step_kernel(self.game)
        if player is not None:
            player.begin(which[copies.over])
        kept = step.run(self._opening, copies, kept, actions, ended, turn, returned, final, self._answering, False)
        if player is None:
            return kept
        answers = np.empty_like(actions)
        while len(asked := np.flatnonzero(turn.moved)):  # (where it is to answer)
            states = copies.states[asked]
            answers[asked] = self._checked_answers(states, player.choose(states.copy(), which[asked]))
            kept = step.run(self._opening, copies, kept, answers, ended, turn, returned, final, CALLER, True)
        return kept

    def _checked_answers(self, states: Int8s, answers: Int64s) -> Int64s:
        """Return the opponent's actions as they are, if each is legal in its state."""
        checked = _whole_numbers("the opponent's actions", answers, len(states))
        illegal = first_illegal.run(self.game.kernels, states, checked)
        if illegal >= 0:
            self._positions(states)[illegal].check(int(checked[illegal]))
        return checked

    def _final_infos(self, final: Final, actions: Int64s, ended: Int64s, has_ended: Bools) -> dict[str, Any]:
        """Return the last observations and infos where contests have ended, as Gymnasium does."""
        observations = np.empty(self.num_envs, dtype=object)  # (of None)
        observations[ended] = np.fromiter(self._observations.show(final.observations), dtype=object, count=len(ended))
        infos = _infos(final.masks, final.seats, has_ended) | _infos_of_ends(final, actions)
        known = {"_final_obs": has_ended.copy(), "_final_info": has_ended.copy()}
        return {"final_obs": observations, "final_info": infos, **known}

    def _current(self, known: Bools) -> tuple[Observation, dict[str, Any]]:
        """Return the observations and infos of all copies as they are, with ``known`` for the marks of the infos."""
        copies = self._copies
        seats = np.where(copies.seats == ALONE, copies.states[:, 0], copies.seats)
        features = np.empty((self.num_envs, self.game.num_features), dtype=np.float32)
        for state, seat, row in zip(copies.states, seats, features, strict=True):
            self.game.rules.encode.run(state, seat, row)
        return self._observations.show(features), _infos(copies.masks.copy(), seats, known.copy())

    def _reset_mask(self, options: dict[str, Any] | None) -> Bools:
        """Return which copies are to be reset."""
        if not options or "reset_mask" not in options:
            return np.ones(self.num_envs, dtype=np.bool_)
        mask = options["reset_mask"]
        if not isinstance(mask, np.ndarray) or mask.shape != (self.num_envs,) or mask.dtype != np.bool_:
            raise BadInputError(
                f"reset_mask={mask!r} is not allowed; it must be a NumPy array of {self.num_envs} booleans"
            )
        if not mask.any():
            raise BadInputError("the reset_mask chooses no copy; it must choose at least one")
        if not self._is_reset and not mask.all():
            raise ResetNeeded("no contest is going on in the other copies; call reset() without reset_mask")
        return mask

    def _seeds(self, seed: int | Sequence[int | None] | None) -> Sequence[int | None]:
        if seed is None or not isinstance(seed, Iterable):
            first = as_seed(seed)
            return [None if first is None else first + i for i in range(self.num_envs)]
        seeds = [as_seed(each) for each in seed]
        if len(seeds) != self.num_envs:
            raise BadInputError(f"{len(seeds)} seeds are not enough or too many; there are {self.num_envs} copies")
        return seeds


def _infos(masks: Int8s, seats: Int64s, known: Bools) -> dict[str, Any]:
    """Return infos as Gymnasium's batches do, with marks of the copies for which they are ``known``."""
    return {"action_mask": masks, "_action_mask": known, "seat": seats, "_seat": known.copy()}


def _infos_of_ends(step: Returned | Final, actions: Int64s) -> dict[str, Any]:
    """Return what infos say of the ends of contests: as in Gymnasium's batches, entries that some copies have."""
    infos: dict[str, Any] = {}
    if (last := step.ends.max(initial=BEGUN)) > BEGUN:
        infos |= {"end": step.ends, "_end": step.ends != BEGUN}
    if last >= ILLEGAL_END:
        known = step.ends == ILLEGAL_END
        infos |= {"illegal_action": np.where(known, actions, 0), "_illegal_action": known}
        infos |= {"illegal_seat": np.where(known, step.seats, 0), "_illegal_seat": known.copy()}
    return infos


def _whole_numbers(name: str, given: Any, length: int | None = None) -> Int64s:
    """Return a caller's whole numbers as a new array for kernels; others raise `BadInputError`."""
    found = np.asarray(given)
    if found.dtype.kind not in "iu" or found.ndim != 1 or (length is not None and len(found) != length):
        raise BadInputError(
            f"{name} of shape {found.shape} and dtype {found.dtype} are not allowed; "
            f"they must be whole numbers of shape ({'K' if length is None else length},)"
        )
    return found.astype(np.int64)


def _check_indices(which: Int64s, copies: int) -> None:
    """Raise `BadInputError` if an index of a copy is out of range or comes twice; negative ones count from the end."""
    chosen = np.zeros(copies, dtype=np.bool_)
    try:
        chosen[which] = True
    except IndexError:
        strange = next(index for index in which.tolist() if not -copies <= index < copies)
        raise BadInputError(f"which names copy {strange}, which does not exist; they are 0 to {copies - 1}") from None
    if np.count_nonzero(chosen) != len(which):
        copy = np.bincount(which % copies).argmax()
        raise BadInputError(f"which names copy {copy} more than once; each takes one action in a step")


def _checked_mode(mode: AutoresetMode | str) -> AutoresetMode:
    try:
        return AutoresetMode(mode)
    except ValueError:
        allowed = one_of(repr(each.value) for each in AutoresetMode)
        raise BadInputError(
            f"autoreset_mode={mode!r} is not allowed; it is an AutoresetMode, or one of: {allowed}"
        ) from None


def _checked_steps(max_episode_steps: int | None) -> int:
    """Return the limit on the steps of a contest, or 0 for none."""
    if max_episode_steps is None:
        return 0
    require_whole(1, max_episode_steps=max_episode_steps)
    return int(max_episode_steps)


def _batch_player(opponent: Opponent | str | None, game: Game, copies: int) -> BatchPlayer | None:
    """Return the player of an opponent that is a policy; `_OneByOneError` is raised if it has none."""
    if opponent is None or opponent == RANDOM:
        return None
    made = make_opponent(deepcopy(opponent), game)
    player = made.in_batch(game, copies) if isinstance(made, BatchOpponent) else None
    if player is None:
        raise _OneByOneError(f"opponent={opponent!r} plays one contest at a time; make_vector_env takes any opponent")
    return player


def _check_threads(threads: int, game: Game, opponent: Opponent | str | None) -> None:
    require_whole(1, threads=threads)
    if threads > 1 and opponent not in (None, RANDOM):
        raise BadInputError(f"threads={threads} is not for policies; use threads=1")
    if threads > 1 and game.limits.recurrences:
        raise BadInputError(f"threads={threads} is not for {game.spec}, whose positions are kept; use threads=1")
