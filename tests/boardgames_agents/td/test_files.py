"""Networks in files: what is written is read, and what is not a network is refused in a sentence."""

from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import save

from boardgames_agents.arena.contest import play_contest
from boardgames_agents.registry import make_agent
from boardgames_agents.td.learner import TDPlayer
from boardgames_agents.td.network import Network
from boardgames_agents.td.network_file import describe_file, load_network, save_network
from boardgames_agents.td.options import Design
from boardgames_env import BadInputError, Game, make_game
from boardgames_env.array_file import write_arrays

GAME = "tic_tac_toe"
ABOUT = {"command": "boardgames train", "seed": "3", "contests": "1,000"}
DESIGN = {"inputs": "observation", "hidden": 6, "outputs": 4, "units": "rectified", "viewer": "0"}


def small_network() -> Network:
    return Network(make_game(GAME), Design(**DESIGN), seed=7)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "nets" / "mine.safetensors"
    save_network(path, small_network(), ABOUT)
    return path


def rewritten(path: Path, **changes: object) -> Path:
    """The file with something else in its description."""
    known = "boardgames-env td network, 1"
    said = {"format": known, "game": "tic_tac_toe", "version": 0, "design": DESIGN, "about": {}, **changes}
    write_arrays(path, small_network().arrays(), said)
    return path


def test_what_is_written_is_read(file: Path, game: Game) -> None:
    loaded, told = load_network(file, game), describe_file(file)
    assert loaded.design == told.design == Design(**DESIGN)
    for name, layer in small_network().arrays().items():
        np.testing.assert_array_equal(loaded.arrays()[name], layer)
    assert (told.game, told.version, told.about) == ("tic_tac_toe", 0, ABOUT)
    content = file.read_bytes()
    save_network(file, loaded, ABOUT)
    assert file.read_bytes() == content
    assert [path.name for path in file.parent.iterdir()] == [file.name]  # nothing is left beside it
    assert load_network(rewritten(file), game).design == Design(**DESIGN)


def test_a_network_in_a_file_plays_as_it_did(tmp_path: Path, game: Game) -> None:
    file, network = tmp_path / "net.safetensors", Network(game, Design(hidden=6), seed=7)
    save_network(file, network)
    other = make_agent("random", game)
    player = make_agent(f"td_net(file={str(file)!r})", game)
    for contest in range(4):
        by_file = play_contest(game, (player, other), [contest])
        assert by_file.actions[0::2] == play_contest(game, (TDPlayer(network), other), [contest]).actions[0::2]


def test_it_looks_ahead_and_handles_the_cube(tmp_path: Path) -> None:
    """What has learned without a cube plays with one."""
    path = tmp_path / "short.safetensors"
    save_network(path, Network(make_game("hypergammon"), Design("raw", 5, 6), seed=1))
    game = make_game("hypergammon(cube=True)")
    spec = f"td_net(file={str(path)!r}, plies=2, candidates=2, doubling='zadeh_kobliska(number=0.9)')"
    record = play_contest(game, (make_agent(spec, game), make_agent("random", game)), [4])
    assert record.outcome != 0


def test_other_files_and_games_are_told_of(file: Path, game: Game) -> None:
    def refused(path: Path, told: str, spec: str = "tic_tac_toe") -> None:
        with pytest.raises(BadInputError, match=told):
            load_network(path, make_game(spec))

    refused(file, "holds a network for tic_tac_toe, version 0, not for achi, version 0", "achi")
    refused(file.with_name("none.safetensors"), r"there is no file .*none\.safetensors")
    refused(file.parent, "cannot be read: Is a directory")
    network, whole = load_network(file, game), file.read_bytes()
    for keep in (0, 5, 100, -1):
        file.write_bytes(whole[:keep])
        refused(file, r"mine\.safetensors is damaged, or does not hold a network")
    file.write_bytes(save({"hidden": np.zeros(3)}))
    refused(file, r"mine\.safetensors does not hold a network: its format is None")
    network.layers.output[0, 0] = np.nan
    save_network(file, network)
    refused(file, "not all its weights are numbers")


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"version": 9}, "holds a network for tic_tac_toe, version 9, not for tic_tac_toe"),
        ({"format": "another, 2"}, "does not hold a network: its format is 'another, 2', not 'boardgames-env"),
        ({"game": 3}, "something else for game, version or about"),
        ({"about": "words"}, "something else for game, version or about"),
        ({"design": 5}, "is damaged, or does not hold a network .TypeError"),
        ({"design": {**DESIGN, "units": "cubic"}}, "a design that is not known here: design: units='cubic'"),
        ({"design": {**DESIGN, "layers": 2}}, "a design that is not known here: design has no option 'layers'"),
        ({"design": {**DESIGN, "outputs": 5}}, "not known here: outputs=5 is not allowed; a network has 1, 4 or 6"),
        ({"design": {**DESIGN, "hidden": 7}}, "does not fit tic_tac_toe: these are the weights of another network"),
        ({"design": {**DESIGN, "inputs": "raw"}}, "does not fit tic_tac_toe: .* has no encoding 'raw'"),
    ],
)
def test_unknown_descriptions_are_told_of(file: Path, changes: dict[str, object], told: str, game: Game) -> None:
    with pytest.raises(BadInputError, match=told):
        load_network(rewritten(file, **changes), game)


@pytest.mark.parametrize(
    "options", ["plies=0", "candidates=0", "doubling='guess'", "doubling='janowski(efficiency=2)'"]
)
def test_options_that_make_no_sense_are_refused(file: Path, options: str, game: Game) -> None:
    with pytest.raises(BadInputError, match=r"is not allowed|there is no doubling formula 'guess'; the formulas are"):
        make_agent(f"td_net(file={str(file)!r}, {options})", game)
