"""Games in disguise: the same trees, with other names, numbers and rule texts."""

import re

import numpy as np
import pytest

from boardgames_agents.experts.perfect import PerfectPlayer
from boardgames_agents.people.language.prompt import PromptForm, prompt
from boardgames_env import BadInputError, Game, Position, make_game, solve
from boardgames_env.games.disguised import Disguise
from boardgames_env.solve.position_table import PositionTable
from tests.variants import EACH_SMALL_GAME, WITHOUT_CHANCE, over

SOLVED = [name for name in EACH_SMALL_GAME if name != "disguised"]
OTHERS = [name for name in WITHOUT_CHANCE if name != "disguised"]
WORDS = "tic tac toe noughts crosses grid cell cells row rows column diagonal line lines mark marks man men pawn pawns "
WORDS += "black white red mill mills morris point points centre corner board square squares ring octagon triangle"


def in_disguise(game: Game, seed: int) -> tuple[Game, Disguise]:
    made = make_game("disguised", game=game.spec, seed=seed)
    assert isinstance(made.family, Disguise)
    return made, made.family


def behind(disguise: Disguise, position: Position) -> Position:
    return disguise.original.position(disguise.uncovered(position.state))


def assert_isomorphic(game: Game, seed: int) -> None:
    """Assert that solving the disguise by its own kernels gives the values and best moves of the original."""
    made, disguise = in_disguise(game, seed)
    table, own = solve(game), solve(made)
    assert isinstance(table, PositionTable)
    assert isinstance(own, PositionTable)
    assert len(own) == len(table)
    states = disguise.original.initial.state[np.newaxis].repeat(len(own), 0)
    states[:, disguise.slots] = own.states
    rows = {state.tobytes(): row for row, state in enumerate(table.states)}
    there = [rows.pop(state.tobytes()) for state in states]
    assert not rows
    assert (table.values[there] == own.values).all()
    assert (table.distances[there] == own.distances).all()
    perfect, other = PerfectPlayer(game), PerfectPlayer(made)
    for state in own.states[:: max(1, len(own) // 100)]:
        position = Position.unchecked(made, state.copy())
        if position.legal_actions:
            chosen, _ = other.distribution(position)
            best, _ = perfect.distribution(behind(disguise, position))
            assert {int(disguise.numbers[action]) for action in chosen} == {*best}


def test_tic_tac_toe_is_hidden() -> None:
    assert_isomorphic(make_game("tic_tac_toe"), 3)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10))
@over(SOLVED)
def test_every_solved_game_has_the_same_tree(game: Game, seed: int) -> None:
    assert_isomorphic(game, seed)


@over(OTHERS)
def test_contests_are_those_of_the_game_behind(game: Game) -> None:
    made, disguise = in_disguise(game, 2)
    assert len(made.board.symmetries) == len(game.board.symmetries)
    rng, position = np.random.default_rng(5), made.initial
    assert behind(disguise, position) == game.initial
    for _ in range(12):
        other = behind(disguise, position)
        assert position.outcome == other.outcome
        assert sorted(disguise.numbers[[*position.legal_actions]]) == [*other.legal_actions]
        assert sorted(position.features()) == sorted(other.features())
        if position.is_over:
            break
        action = int(rng.choice(position.legal_actions))
        position = position.play(action)
        assert behind(disguise, position) == other.play(int(disguise.numbers[action]))


def test_values_of_a_large_game_are_those_of_the_game_behind() -> None:
    game = make_game("disguised", game="five_mens_morris", seed=4)
    from boardgames_env.solve import demand_solvable

    demand_solvable(game)


@over(OTHERS)
def test_a_prompt_holds_no_word_of_the_game_behind(game: Game) -> None:
    for seed in range(3):
        made, _ = in_disguise(game, seed)
        hidden = {*WORDS.split(), *re.findall(r"[a-z]+", f"{game.title} {game.name}".lower())} - {"s", "a", "i"}
        hidden |= {each.name.lower() for each in game.men}
        position = made.initial
        position = position.play(position.legal_actions[0])
        text = prompt(position, form=PromptForm())
        assert not hidden & set(re.findall(r"[a-z]+", text.lower()))
        assert "{" not in text
        assert "may be chosen depends" not in text  # (what rules say that are not complete)


def test_seeds_differ() -> None:
    games = [make_game("disguised", seed=seed) for seed in range(5)]
    assert len({game.board.labels for game in games}) == 5
    assert make_game("disguised", seed=3) is make_game("disguised", seed=3)


@pytest.mark.parametrize("options", [{"game": "backgammon"}, {"game": "disguised"}, {"seed": -1}, {"game": "chess"}])
def test_other_options_are_refused(options: dict[str, object]) -> None:
    with pytest.raises(BadInputError):
        make_game("disguised", **options)


def listed(game: Game, heading: str, joint: str) -> list[list[str]]:
    """Return what the rules of a game list under a heading."""
    found = re.search(rf"^{heading}[^:]*: (.*)\.$", game.rules_text, re.MULTILINE)
    assert found, heading
    return [each.split(joint) for each in found[1].split(", ")]


def contest(game: Game, seed: int) -> list[tuple[Position, int, Position]]:
    """Return the actions of a random contest, with the positions before and after each."""
    rng, position, found = np.random.default_rng(seed), game.initial, []
    while not position.is_over and len(found) < 150:
        action = int(rng.choice(position.legal_actions))
        found.append((position, action, position.play(action)))
        position = found[-1][2]
    return found


def men_at(position: Position) -> dict[str, int]:
    """Return the men of a position by the labels of their places."""
    labels = position.game.board.labels
    return dict(zip(labels, position.state[1 : 1 + len(labels)].tolist(), strict=True))


@pytest.mark.parametrize("name", ["hexapawn", "breakthrough(columns=4,rows=5)", "english_draughts"])
def test_the_rules_list_every_step_of_a_side(name: str) -> None:
    made, _ = in_disguise(make_game(name), 4)
    kinds = ("Straight links", "Slanted links") if "draughts" not in name else ("Links", "Jumps")
    own = [{tuple(each) for kind in kinds for each in listed(made, f"{kind} of {man.name}", ">")} for man in made.men]
    edges = [{each[0] for each in listed(made, f"The edge of {man.name}", ">")} for man in made.men]
    seen = 0
    for seed in range(4):
        for before, action, after in contest(made, seed):
            path = tuple(made.board.labels[each] for each in made.actions[action].locations)
            men = men_at(before)
            allowed = own[before.seat] | (own[1 - before.seat] if abs(men[path[0]]) > 1 else set())
            if made.actions[action].kind == "jump":
                over = [each for each in allowed if (each[0], each[-1]) == path and len(each) == 3]
                assert [np.sign(men[each[1]]) for each in over] == [2 * before.seat - 1]
            else:
                assert path in allowed
            if after.is_over and path[1] in edges[1 - before.seat] and "draughts" not in name:
                seen += 1
    assert seen or "draughts" in name


def test_the_rules_list_the_piles() -> None:
    made, _ = in_disguise(make_game("connect_four"), 4)
    piles = listed(made, "Piles", ">")
    for before, action, after in contest(made, 1):
        new = [label for label, man in men_at(after).items() if man != men_at(before)[label]]
        labels = {made.board.labels[each] for each in made.actions[action].locations}
        pile = next(each for each in piles if set(each) == labels)
        assert new == [next(label for label in pile if not men_at(before)[label])]


def test_the_rules_list_the_chains() -> None:
    """The legal actions and what they change follow from the text alone."""
    made, _ = in_disguise(make_game("othello", size=6), 4)
    chains = listed(made, "Chains", "+")
    ways = [*chains, *(each[::-1] for each in chains)]

    def turned(men: dict[str, int], site: str, own: int) -> set[str]:
        found: set[str] = set()
        for way in ways:
            if site in way:
                between = way[way.index(site) + 1 :]
                stop = next((number for number, each in enumerate(between) if men[each] != -own), len(between))
                if stop < len(between) and men[between[stop]] == own:
                    found |= set(between[:stop])
        return found

    for before, action, after in contest(made, 2):
        men, own = men_at(before), 1 - 2 * before.seat
        can = {site for site, man in men.items() if not man and turned(men, site, own)}
        assert {made.action_text(each) for each in before.legal_actions} == (can or {"wait"})
        site = made.action_text(action)
        flipped = turned(men, site, own) | {site} if site != "wait" else set()
        assert men_at(after) == {each: own if each in flipped else man for each, man in men.items()}


def test_the_rules_list_shores_and_counterparts() -> None:
    made, _ = in_disguise(make_game("hex", size=4), 4)
    names = [man.name for man in made.men]
    blocks = [re.findall(rf"^A shore of {name}: (.*)\.$", made.rules_text, re.MULTILINE) for name in names]
    shores = [[set(each.split(", ")) for each in block] for block in blocks]
    links = [set(each) for each in listed(made, "Linked", "+")]
    pairs = {one: other for a, b in listed(made, "Counterparts", "=") for one, other in ((a, b), (b, a))}
    for seed in range(6):
        *_, (before, _, after) = contest(made, seed)
        own, other = ({site for site, man in men_at(after).items() if man == sign} for sign in (1, -1))
        for seat, men in enumerate((own, other)):
            reached = men & shores[seat][0]
            while more := {each for link in links if link & reached for each in link & men} - reached:
                reached |= more
            assert bool(reached & shores[seat][1]) == (seat == before.seat)
    first = made.initial.play(made.initial.legal_actions[0])
    swapped = first.play(made.parse_action("trade"))
    (site,) = (each for each, man in men_at(first).items() if man)
    assert [each for each, man in men_at(swapped).items() if man == -1] == [pairs.get(site, site)]


def test_the_rules_of_mills_are_those_of_the_options() -> None:
    text = make_game("disguised", game="nine_mens_morris(fly_at=3,any_capture=True)").rules_text
    assert "Each side has 9" in text
    assert "One with 3 or fewer left may bring one to any free" in text
    assert "none out of a filled" not in text
    assert "has another turn" in make_game("disguised", game="nerenchi").rules_text


def test_limits_are_told() -> None:
    for name, limit in (("english_draughts", "After 80 turns, one after"), ("nine_mens_morris", "comes up 3 times")):
        assert limit in in_disguise(make_game(name), 0)[0].rules_text
