"""Expert inputs: the raw ones, and features that expert players use.

They follow Neurogammon (Tesauro, 1989), whose own inputs are not published, and later public programs. Each is a
function of a position and of a seat's `Side` of it, and is defined by its docstring; nearly all lie between 0 and 1.
Features that are linear in the men on the points are left to the raw inputs, unless they depend on the places of the
other's men.

After the 198 raw inputs come the features `of_both` as the viewer sees them; those `of_a_seat`, `of_contact` and
`of_exposure` of the viewer; and then these of the other seat. In a race, those of contact and exposure are 0 and cost
nothing. The turn matters only where a docstring says so.
"""

from collections.abc import Callable
from functools import cache
from typing import Any

from boardgames_env.encoding import Encoding, changes, inputs
from boardgames_env.games.backgammon.inputs.expert_features import (
    anchors,
    backgammon_pips,
    best_anchor,
    contact,
    containment,
    gammon_danger,
    gammon_pips,
    has_some_off,
    holding,
    home_points,
    keeping_out,
    lead,
    longest_prime,
    men_back,
    open_steps,
    pip_count,
    pips_to_pass,
    playable_rolls,
    point_making_rolls,
    prime_ahead,
    racing_chance,
    rearmost,
    timing,
    trapped,
    waste,
)
from boardgames_env.games.backgammon.inputs.raw_inputs import SIZE, raw_changes, raw_inputs
from boardgames_env.games.backgammon.inputs.side import (
    EXPOSURE,
    Side,
    blots,
    in_contact,
    of_exposure,
    shots_of,
    side_of,
)
from boardgames_env.kernels import Actions, Features, State, helper, inlined


@inlined
def of_both(state: State, side: Side) -> tuple[float, ...]:
    """Return the features that are the same, or the opposite, for the other seat."""
    return contact(state, side), racing_chance(state, side)


@inlined
def of_a_seat(state: State, side: Side) -> tuple[float, ...]:
    """Return the features of a seat in any position."""
    return (
        pip_count(state, side),
        lead(state, side),
        waste(state, side),
        has_some_off(state, side),
        gammon_pips(state, side),
        gammon_danger(state, side),
        backgammon_pips(state, side),
        rearmost(state, side),
    )


@inlined
def of_contact(state: State, side: Side) -> tuple[float, ...]:
    """Return the features of a seat that matter while there is contact."""
    return (
        pips_to_pass(state, side),
        timing(state, side),
        men_back(state, side),
        anchors(state, side),
        best_anchor(state, side),
        home_points(state, side),
        keeping_out(state, side),
        longest_prime(state, side),
        prime_ahead(state, side),
        holding(state, side),
        containment(state, side),
        trapped(state, side),
        playable_rolls(state, side),
        open_steps(state, side),
        point_making_rolls(state, side),
        blots(state, side),
    )


def _names_of_features(group: Callable[..., Any]) -> tuple[str, ...]:
    """Return the names of a group's features, in order: the names in its code."""
    return tuple(getattr(group, "py_func", group).__code__.co_names)


_BOTH, _SEAT, _CONTACT = (_names_of_features(group) for group in (of_both, of_a_seat, of_contact))

NAMES: tuple[str, ...] = (
    *_BOTH,
    *(f"{whose}_{name}" for whose in ("own", "other") for name in _SEAT + _CONTACT + EXPOSURE),
)
"""The names of the inputs after the raw ones, in order."""

_FIRST_OF_SEAT = SIZE + len(_BOTH)
_FIRST_OF_CONTACT = len(_SEAT)
_FIRST_OF_EXPOSURE = _FIRST_OF_CONTACT + len(_CONTACT)
_A_SEAT = _FIRST_OF_EXPOSURE + len(EXPOSURE)


@inlined
def _write(found: tuple[float, ...], first: int, indices: Actions, values: Features, at: int) -> int:
    """Write the features that are not 0, numbered from ``first``, at ``at``. Return their end."""
    for place in range(len(found)):
        indices[at], values[at] = first + place, found[place]
        at += int(found[place] != 0)
    return at


@cache
def expert_inputs(men: int) -> Encoding:
    """Return the expert inputs, after the ``raw`` ones, for games with ``men`` men a seat."""
    raw = raw_inputs(men, "raw")
    write_raw, change_raw = helper(raw.kernel.function), helper(raw_changes(men, "raw").function)

    @helper
    def write_features(state: State, viewer: int, indices: Actions, values: Features, at: int) -> int:
        """Write all but the raw inputs after ``at`` inputs. Return the new number of inputs."""
        own, other = side_of(state, viewer, men), side_of(state, 1 - viewer, men)
        at = _write(of_both(state, own), SIZE, indices, values, at)
        first = _FIRST_OF_SEAT
        for side, opponent in ((own, other), (other, own)):
            at = _write(of_a_seat(state, side), first, indices, values, at)
            if in_contact(own):
                at = _write(of_contact(state, side), first + _FIRST_OF_CONTACT, indices, values, at)
                at = _write(of_exposure(shots_of(opponent)), first + _FIRST_OF_EXPOSURE, indices, values, at)
            first += _A_SEAT
        return int(at)

    @inputs
    def write_expert(state: State, viewer: int, indices: Actions, values: Features) -> int:
        at = write_raw(state, viewer, indices, values)
        return int(write_features(state, viewer, indices, values, at))

    @changes
    def write_changes(before: State, after: State, viewer: int, indices: Actions, values: Features) -> int:
        at = change_raw(before, after, viewer, indices, values)
        return int(write_features(after, viewer, indices, values, at))

    return Encoding(SIZE + len(NAMES), write_expert, raw.kernel, write_changes)
