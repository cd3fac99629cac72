"""Networks that people bring: they play, and nothing in their files is run."""

import base64
import io
import json
import pickle
import shutil
from collections.abc import Callable
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import numpy as np
import pytest

from boardgames_agents.arena.exploitability import ExactTester, markov
from boardgames_agents.policy import MarkovPolicy
from boardgames_agents.registry import make_agent
from boardgames_env import BadInputError, Game, make_game
from boardgames_env.envs.observations import Observations
from boardgames_env.envs.single import BoardGameEnv
from tests.positions import random_positions
from tests.processes import ROOT
from tests.test_strangers_files import MARK, Marking, expression

torch = pytest.importorskip("torch", reason="the extra torch is not installed")
nn = torch.nn

GAME = "tic_tac_toe"


class Bag(nn.Module):
    """A network with planes, an operation that writes into its argument, and two results."""

    def __init__(self) -> None:
        super().__init__()
        self.shown = nn.Sequential(nn.Conv2d(3, 4, 3, padding=1), nn.BatchNorm2d(4), nn.ReLU(inplace=True))
        self.preferences, self.value = nn.Linear(36, 9), nn.Linear(36, 1)
        self.register_buffer("shift", torch.arange(9.0) / 9)

    def forward(self, planes: Any) -> Any:
        hidden = self.shown(planes).reshape(planes.shape[0], -1) * torch.tensor([0.5])
        return torch.tanh(self.value(hidden)), torch.softmax(self.preferences(hidden), -1) + self.shift


def flat(*layers: int) -> Any:
    sizes = (19, *layers, 9)
    return nn.Sequential(*(layer for pair in pairwise(sizes) for layer in (nn.Linear(*pair), nn.Tanh())))


NETWORKS: dict[str, tuple[Callable[[], Any], tuple[int, ...], bool]] = {
    "a single observation": (lambda: flat(8), (19,), False),
    "a batch of one": (lambda: flat(8), (1, 19), False),
    "a batch of three": (flat, (3, 19), False),
    "any batch": (lambda: flat(8, 8), (2, 19), True),
    "planes": (Bag, (2, 3, 3, 3), True),
}
"""Networks, the shape of what they take, and whether any number of observations will do."""


def exported(path: Path, network: Any, shape: tuple[int, ...], any_batch: bool = False) -> Any:
    """Write an exported program; return the module."""
    torch.manual_seed(0)
    dynamic = ({0: torch.export.Dim("batch")},) if any_batch else None
    torch.export.save(torch.export.export(network.eval(), (torch.rand(shape),), dynamic_shapes=dynamic), path)
    return network


def rewritten(path: Path, entry: str, change: Callable[[bytes], bytes]) -> None:
    """Change the entry of a zip file whose name ends so."""
    with ZipFile(path) as archive:
        entries = {name: archive.read(name) for name in archive.namelist()}
    with ZipFile(path, "w") as archive:
        for name, content in entries.items():
            archive.writestr(name, change(content) if name.endswith(entry) else content)


def in_json(change: Callable[[Any], Any]) -> Callable[[bytes], bytes]:
    def changed(content: bytes) -> bytes:
        data = json.loads(content)
        change(data)
        return json.dumps(data).encode()

    return changed


@pytest.fixture(scope="module")
def game() -> Game:
    return make_game(GAME)


@pytest.fixture
def program(tmp_path: Path) -> Path:
    """A copy of `flat(8)`, exported by torch 2.13, without the stack traces that it writes."""
    shutil.copy(ROOT / "tests" / "data" / "net.pt2", tmp_path)
    return tmp_path / "net.pt2"


@pytest.mark.slow  # (torch takes seconds to export its first program)
@pytest.mark.parametrize("kind", NETWORKS)
def test_an_exported_program_plays_what_its_module_prefers(kind: str, game: Game, tmp_path: Path) -> None:
    make, shape, any_batch = NETWORKS[kind]
    module = exported(tmp_path / "net.pt2", make(), shape, any_batch)
    player = make_agent(f"torch(file={str(tmp_path / 'net.pt2')!r})", game)
    assert isinstance(player, MarkovPolicy)
    shown = Observations(game, "planes" if kind == "planes" else "flat")
    for position in random_positions(game, 20, 1):
        seen = torch.from_numpy(shown.show(position.features()))
        with torch.no_grad():
            found = module(seen if len(shape) == 1 else seen.expand(*shape[:1], *seen.shape))
        wanted = (found[1] if isinstance(found, tuple) else found).reshape(-1, 9)[0].numpy()
        legal = list(position.legal_actions)
        best = max(legal, key=lambda action: wanted[action])
        for _ in range(2):  # (nothing is left of the first time)
            assert player.distribution(position) == ((best,), (1.0,))


def test_it_can_be_tested_exactly(game: Game, program: Path) -> None:
    found = ExactTester(game).test(markov(make_agent(f"torch(file={str(program)!r})", game)))
    assert 0 < found.exploitability <= 2


def evil_weights(folder: Path, path: Path) -> None:
    """Declare weights to be a pickle, which they are."""
    made = io.BytesIO()
    torch.save(Marking(folder), made)
    rewritten(path, "weight_0", lambda _: made.getvalue())
    change = in_json(lambda data: data["config"]["0.weight"].update(use_pickle=True))
    rewritten(path, "model_weights_config.json", change)


def evil_constants(folder: Path, path: Path) -> None:
    declared = {"path_name": "opaque_obj_0", "is_param": False, "use_pickle": True, "tensor_meta": None}
    rewritten(path, "model_constants_config.json", in_json(lambda data: data["config"].update(x=declared)))
    with ZipFile(path) as archive:
        root = archive.namelist()[0].partition("/")[0]
    with ZipFile(path, "a") as archive:
        archive.writestr(f"{root}/data/constants/opaque_obj_0", pickle.dumps(Marking(folder)))


def evil_samples(folder: Path, path: Path) -> None:
    made = io.BytesIO()
    torch.save(Marking(folder), made)
    rewritten(path, "sample_inputs/model.pt", lambda _: made.getvalue())


def evil_size(folder: Path, path: Path) -> None:
    """Give an expression for the number of observations, which torch hands to SymPy."""
    size = {"as_expr": {"expr_str": expression(folder), "hint": {"as_int": 1}}}

    def change(data: Any) -> None:
        data["graph_module"]["graph"]["tensor_values"]["input"]["sizes"][0] = size

    rewritten(path, "models/model.json", in_json(change))


def evil_operation(folder: Path, path: Path, target: str = "torch.os.mkdir") -> None:
    """Take a function of Python for the first operation."""
    argument = [{"name": "", "arg": {"as_string": str(folder / MARK)}, "kind": 1}]

    def change(data: Any) -> None:
        data["graph_module"]["graph"]["nodes"][0].update(target=target, inputs=argument)

    rewritten(path, "models/model.json", in_json(change))


@pytest.mark.parametrize("evil", [evil_weights, evil_constants, evil_samples, evil_size, evil_operation])
def test_an_exported_program_of_somebody_else_runs_nothing(
    evil: Callable[[Path, Path], None], game: Game, program: Path, tmp_path: Path
) -> None:
    evil(tmp_path, program)
    with suppress(BadInputError):  # (sample inputs are not read)
        player = make_agent(f"torch(file={str(program)!r})", game)
        player.begin(game, (0,), np.random.default_rng(0))
        player.choose(game.initial)
    assert not (tmp_path / MARK).exists()


@pytest.mark.slow
@pytest.mark.parametrize("evil", [evil_weights, evil_samples, evil_size])
def test_with_torch_the_same_files_run_code(evil: Callable[[Path, Path], None], program: Path, tmp_path: Path) -> None:
    """So a program is not read by ``torch.export.load``, whose own documentation warns of it."""
    evil(tmp_path, program)
    with suppress(Exception):
        torch.export.load(program).module()(torch.zeros(1, 19))
    assert (tmp_path / MARK).exists()


def node(data: Any) -> Any:
    return data["graph_module"]["graph"]["nodes"][0]


@pytest.mark.parametrize(
    ("change", "why"),
    [
        *(
            (lambda data, target=target: node(data).update(target=target), f"has the operation '{target}'")
            for target in (
                *("torch.ops.aten.from_file.default", "torch.ops.aten.relu.__class__", "torch.ops.aten.relu._op"),
                *("torch.ops.aten.linear.nothing", "torch.load", "_operator.getitem", "os.system", "torch.ops.x.y.z"),
            )
        ),
        (lambda data: node(data)["inputs"].append({"name": "train", "arg": {"as_bool": True}}), "network.eval()"),
        (lambda data: data["graph_module"]["graph"].update(nodes=[node(data)] * 10_001), "at most 10,000"),
        (lambda data: data["graph_module"]["signature"]["input_specs"].pop(), "it has 0 inputs"),
    ],
)
def test_programs_that_are_refused(change: Callable[[Any], Any], why: str, game: Game, program: Path) -> None:
    rewritten(program, "models/model.json", in_json(change))
    with pytest.raises(BadInputError) as refusal:
        make_agent(f"torch(file={str(program)!r})", game)
    assert why in str(refusal.value)
    assert "net.pt2" in str(refusal.value)


class Large(nn.Module):
    def forward(self, seen: Any) -> Any:
        return torch.ones(20_000, 20_000).sum() + seen[..., :9]


class Chance(nn.Module):
    def forward(self, seen: Any) -> Any:
        return torch.rand_like(seen)[..., :9]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("network", "shape", "spec", "why"),
    [
        (Large, (1, 19), GAME, "more than 200,000,000 numbers"),
        (lambda: nn.Linear(7, 9), (1, 7), GAME, "takes observations of shape (7,) and float32, not (19,) (flat) or"),
        (lambda: nn.Linear(19, 8), (1, 19), GAME, "returns no number for each of the 9 actions"),
        (lambda: flat(8), (1, 19), "backgammon", "takes observations of shape (19,) and float32, not (211,) (flat)"),
        (Chance, (1, 19), GAME, "has the operation 'torch.ops.aten.rand_like.default'"),
    ],
)
def test_networks_that_do_not_fit(
    network: Callable[[], Any], shape: tuple[int, ...], spec: str, why: str, tmp_path: Path
) -> None:
    exported(tmp_path / "net.pt2", network(), shape)
    with pytest.raises(BadInputError) as refusal:
        make_agent(f"torch(file={str(tmp_path / 'net.pt2')!r})", make_game(spec))
    assert why in str(refusal.value)


# -- files of Stable-Baselines3 ----------------------------------------------------------------------------------------

MODELS: dict[str, tuple[str, dict[str, Any]]] = {
    "maskable_ppo": ("sb3_contrib.MaskablePPO", {}),
    "ppo": ("stable_baselines3.PPO", {"net_arch": {"pi": [8], "vf": [4, 4]}, "activation_fn": nn.ReLU}),
    "a2c": ("stable_baselines3.A2C", {"net_arch": []}),
    "trpo": ("sb3_contrib.TRPO", {"share_features_extractor": False}),
    "dqn": ("stable_baselines3.DQN", {"net_arch": [8]}),
    "qr_dqn": ("sb3_contrib.QRDQN", {"n_quantiles": 5}),
}


def saved(path: Path, kind: str = "ppo", **arguments: Any) -> Any:
    """Write a model that has learned nothing, as somebody with Stable-Baselines3 does; return it."""
    pytest.importorskip("sb3_contrib", reason="the extra rl is not installed")
    from importlib import import_module

    place, network = MODELS[kind]
    package, _, name = place.partition(".")
    env = BoardGameEnv(GAME, **{"opponent": "random", **arguments})
    model = getattr(import_module(package), name)("MlpPolicy", env, policy_kwargs=network, seed=1, device="cpu")
    model.save(path)
    return model


@pytest.fixture
def zipped(tmp_path: Path) -> Path:
    saved(tmp_path / "ppo.zip")
    return tmp_path / "ppo.zip"


@pytest.mark.parametrize("observation", ["flat", "planes"])
@pytest.mark.parametrize("kind", MODELS)
def test_a_file_of_stable_baselines3_plays_what_its_model_prefers(
    kind: str, observation: str, game: Game, tmp_path: Path
) -> None:
    model = saved(tmp_path / "model.zip", kind, observation=observation)
    player = make_agent(f"sb3(file={str(tmp_path / 'model.zip')!r})", game)
    assert isinstance(player, MarkovPolicy)
    shown, agreed = Observations(game, observation), 0
    for position in random_positions(game, 20, 1):
        chosen, _ = model.predict(shown.show(position.features()), deterministic=True)
        ((action, *_), _) = player.distribution(position)
        assert action in position.legal_actions
        agreed += int(chosen) == action
        assert int(chosen) == action or int(chosen) not in position.legal_actions
    assert agreed > 0


def test_a_file_of_stable_baselines3_runs_nothing(game: Game, zipped: Path, tmp_path: Path) -> None:
    evil = base64.b64encode(pickle.dumps(Marking(tmp_path))).decode()

    def change(data: Any) -> None:
        for each in data.values():
            if isinstance(each, dict) and ":serialized:" in each:
                each[":serialized:"] = evil

    rewritten(zipped, "data", in_json(change))
    player = make_agent(f"sb3(file={str(zipped)!r})", game)
    assert player.origin
    player.begin(game, (0,), np.random.default_rng(0))
    player.choose(game.initial)
    assert not (tmp_path / MARK).exists()
    made = io.BytesIO()
    torch.save({"x": Marking(tmp_path)}, made)
    rewritten(zipped, "policy.pth", lambda _: made.getvalue())
    with pytest.raises(BadInputError, match=r"ppo\.zip is damaged, or does not hold"):
        make_agent(f"sb3(file={str(zipped)!r})", game)
    assert not (tmp_path / MARK).exists()
    from stable_baselines3 import PPO

    with suppress(Exception):
        PPO.load(zipped)
    assert (tmp_path / MARK).exists()


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda data: data["policy_class"].update(__module__="mine"), "its policy is mine.ActorCriticPolicy"),
        (lambda data: data["policy_class"].update(__init__="<function Mine.__init__ at 0x1>"), "policies.Mine"),
        (lambda data: data["policy_class"].update(__init__="x()"), "'x()', which is no class"),
        (lambda data: data["policy_kwargs"].update(activation_fn="<class 'mine.X'>"), "mine.X"),
        (lambda data: data["policy_kwargs"].update(features_extractor_class="<class 'mine.X'>"), "code of its own"),
        (lambda data: data["policy_kwargs"].update(lstm_hidden_size=3), "argument lstm_hidden_size"),
        (lambda data: data["policy_kwargs"].update(net_arch=[10**9]), "more than 50,000,000 weights"),
        (lambda data: data["policy_kwargs"].update(net_arch=["x"]), "not whole numbers"),
        (lambda data: data["policy_kwargs"].update(net_arch=[9]), "the weights of another network"),
        (lambda data: data["action_space"].update(n="8"), "it has 8 actions, not 9"),
        (lambda data: data["observation_space"].update(_shape=[7]), "takes observations of shape (7,)"),
        (lambda data: data["observation_space"].update(dtype="object"), "of shape (19,) and object, not float32"),
        (lambda data: data.clear(), "KeyError"),
    ],
)
def test_files_of_stable_baselines3_that_are_refused(
    change: Callable[[Any], None], why: str, game: Game, zipped: Path
) -> None:
    rewritten(zipped, "data", in_json(change))
    with pytest.raises(BadInputError) as refusal:
        make_agent(f"sb3(file={str(zipped)!r})", game)
    assert why in str(refusal.value)
    assert "ppo.zip" in str(refusal.value)


def test_older_versions_of_torch_are_refused(game: Game, zipped: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch, "__version__", "2.9.1+cpu")
    with pytest.raises(BadInputError, match=r"sb3 needs torch 2\.10 or later: 2\.9\.1\+cpu can run code"):
        make_agent(f"sb3(file={str(zipped)!r})", game)
