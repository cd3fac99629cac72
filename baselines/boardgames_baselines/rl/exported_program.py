"""Files of ``torch.export.save``, read without running code that they bring, and computed one operation at a time.

``torch.export.load`` is not safe for files of strangers: it unpickles weights that a file declares to be pickles, and
the example inputs, and hands sizes to SymPy, which evaluates them as Python
(``tests/boardgames_baselines/test_brought_files.py`` shows all three). The files of recent versions of torch also hold
all that is needed in plain form:

* ``models/model.json``: the operations in order, with the names of the tensors that each takes and makes;
* ``data/weights`` and ``data/constants``: the numbers of each tensor, and its shape and dtype in JSON.

Only functions of tensors that read and write nothing else are computed, those in `OPERATIONS`. Before its first use a
program is run on tensors without numbers (torch's device ``meta``), which shows whether it can be computed, how large
what it computes becomes, and what it returns.
"""

import json
import math
import operator
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from boardgames_agents.policy import Policy
from boardgames_agents.td.torch_network import one_thread
from boardgames_baselines.rl import EXPORTED_PROGRAM
from boardgames_baselines.rl.networks import NetworkPlayer, observations_of_shape, zip_entries
from boardgames_env.envs.observations import Observation, Observations
from boardgames_env.errors import BadInputError
from boardgames_env.game import Game
from boardgames_env.kernels.signatures import Float32s

_OPERATIONS = """
abs adaptive_avg_pool1d adaptive_avg_pool2d add addmm alias amax amin argmax avg_pool1d avg_pool2d avg_pool3d
batch_norm bitwise_and bitwise_not bitwise_or bmm cat celu clamp clamp_max clamp_min clone contiguous conv1d conv2d
conv3d convolution cos cumsum detach div dropout einsum elu eq erf exp expand expand_as feature_dropout flatten floor
full full_like gather ge gelu group_norm gt hardsigmoid hardswish hardtanh instance_norm layer_norm le leaky_relu
lift_fresh_copy linear log log1p log_softmax logical_and logical_not logical_or lt masked_fill matmul max max_pool1d
max_pool2d max_pool3d maximum mean min minimum mish mm mul narrow ne neg new_ones new_zeros ones ones_like pad permute
pixel_shuffle pow prelu prod reciprocal relu relu6 reshape rms_norm round rsqrt rsub scaled_dot_product_attention
select selu sigmoid sign silu sin slice softmax softplus split split_with_sizes sqrt squeeze stack sub sum sym_size t
tanh to transpose unbind unflatten unsqueeze upsample_nearest2d var view view_as where zeros zeros_like
"""
OPERATIONS = frozenset(_OPERATIONS.split())
"""The names of the operations of torch's library ``aten`` that are computed, all overloads of each."""

_WHOLE_NUMBERS: Mapping[str, Callable[..., Any]] = {
    f"_operator.{each.__name__}": each for each in (operator.add, operator.sub, operator.mul, operator.floordiv)
}
_CHECKS = frozenset(
    f"torch.ops.aten.{name}.default"
    for name in ("_assert_tensor_metadata", "_assert_scalar", "sym_constrain_range_for_size")
)
"""Operations that are left out: they return nothing, and stop where sizes are not as in the export."""

_ATEN = re.compile(r"torch\.ops\.aten\.([a-z]\w*?)(_?)\.(\w+)")
"""An operation of aten: its name, the underscore of those that write into their argument, and its overload."""

_DTYPES = {
    **{1: torch.uint8, 2: torch.int8, 3: torch.int16, 4: torch.int32, 5: torch.int64},
    **{6: torch.float16, 7: torch.float32, 8: torch.float64, 12: torch.bool, 13: torch.bfloat16},
}
"""The dtypes by their numbers in files."""

_MOST_STEPS, _MOST_NUMBERS, _LARGEST = 10_000, 200_000_000, 2**31
"""The most operations, the most numbers in all tensors that they take and make, and the largest size of a tensor."""


class _Name(str):
    """The name of a tensor or a whole number among the arguments of an operation."""


@dataclass(frozen=True)
class _Step:
    """An operation, its arguments with names in the place of values, and the names of its results."""

    function: Callable[..., Any]
    positional: tuple[Any, ...]
    keywords: Mapping[str, Any]
    results: tuple[str, ...]


class ExportedProgram:
    """A program of one input.

    Attributes:
        shape: The shape of the input; None where any size will do.
        dtype: The dtype of the input.

    Raises:
        BadInputError: If it has more inputs, or has operations that are not computed here.
    """

    def __init__(self, model: Mapping[str, Any], weights: Mapping[str, torch.Tensor]) -> None:
        graph, signature = model["graph_module"]["graph"], model["graph_module"]["signature"]
        if len(graph["nodes"]) > _MOST_STEPS:
            raise BadInputError(f"it has {len(graph['nodes']):,} operations, and at most {_MOST_STEPS:,} are computed")
        self._weights: dict[str, torch.Tensor] = {}
        inputs = []
        for spec in signature["input_specs"]:
            ((kind, declared),) = spec.items()
            if kind == "user_input":
                inputs.append(declared["arg"]["as_tensor"]["name"])
            else:
                self._weights[declared["arg"]["name"]] = weights[declared[f"{kind}_name"]]
        if len(inputs) != 1:
            raise BadInputError(f"it has {len(inputs)} inputs, and gets one, the observation")
        (self._input,) = inputs
        seen = graph["tensor_values"][self._input]
        self.shape: tuple[int | None, ...] = tuple(each.get("as_int") for each in seen["sizes"])
        self.dtype = _DTYPES[seen["dtype"]]
        if any(list(spec) != ["user_output"] for spec in signature["output_specs"]):
            raise BadInputError("it changes its own weights; export it after network.eval()")
        returned = [spec["user_output"]["arg"] for spec in signature["output_specs"]]
        self._returned = [each["as_tensor"]["name"] for each in returned if "as_tensor" in each]
        self._steps = [_step(node) for node in graph["nodes"] if node["target"] not in _CHECKS]
        schemas = [getattr(step.function, "_schema", None) for step in self._steps]
        self._writes = any(schema.is_mutable for schema in schemas if schema)

    def __call__(self, seen: torch.Tensor) -> list[torch.Tensor]:
        """Return what the program returns for an input, on the input's device: the processor, or torch's ``meta``.

        Raises:
            BadInputError: If tensors become too large.
        """
        # (copies, if some operation writes into its arguments)
        weights = self._weights.items()
        values: dict[str, Any] = {name: each.to(seen.device, copy=self._writes) for name, each in weights}
        values[self._input] = seen
        numbers = sum(each.numel() for each in values.values())

        def value(argument: Any) -> Any:
            if isinstance(argument, _Name):
                return values[argument]
            if isinstance(argument, list):
                return [value(each) for each in argument]
            return seen.device if isinstance(argument, torch.device) else argument

        for step in self._steps:
            positional = [value(each) for each in step.positional]
            made = step.function(*positional, **{name: value(each) for name, each in step.keywords.items()})
            made = made if isinstance(made, (list, tuple)) else [made]
            for name, each in zip(step.results, made, strict=True):
                numbers += each.numel() if isinstance(each, torch.Tensor) else 0
                if numbers > _MOST_NUMBERS or (isinstance(each, int) and not -_LARGEST < each < _LARGEST):
                    raise BadInputError(f"its tensors have more than {_MOST_NUMBERS:,} numbers")
                values[name] = each
        return [values[name] for name in self._returned]


def _step(node: Mapping[str, Any]) -> _Step:
    target = str(node["target"])
    found = _ATEN.fullmatch(target)
    function = _WHOLE_NUMBERS.get(target)
    if found and found[1] in OPERATIONS:
        function = getattr(getattr(torch.ops.aten, found[1] + found[2]), found[3], None)
    if not (target in _WHOLE_NUMBERS or isinstance(function, torch._ops.OpOverload)):
        raise BadInputError(f"it has the operation {target!r}, which is not computed here")
    assert function is not None
    given = [(each["name"], _argument(each["arg"])) for each in node["inputs"]]
    results = []
    for each in node["outputs"]:
        ((kind, made),) = each.items()
        parts = made if kind == "as_tensors" else [made]
        results += [part.get("name", part.get("as_name")) for part in parts]
    positional = tuple(argument for name, argument in given if not name)
    keywords = {name: argument for name, argument in given if name}
    if any(keywords.get(name) for name in ("train", "training", "dropout_p")):
        raise BadInputError(f"its operation {target!r} is that of training; export it after network.eval()")
    return _Step(function, positional, keywords, tuple(results))


def _argument(given: Mapping[str, Any]) -> Any:
    """Return an argument, with a `_Name` for every tensor and for every whole number that is computed."""
    ((kind, value),) = given.items()
    match kind:
        case "as_tensor":
            found: Any = _Name(value["name"])
        case "as_sym_int":
            found = _argument(value)
        case "as_name":
            found = _Name(value)
        case "as_tensors":
            found = [_Name(each["name"]) for each in value]
        case "as_sym_ints" | "as_optional_tensors":
            found = [_argument(each) for each in value]
        case "as_scalar_type":
            found = _DTYPES[value]
        case "as_device":
            found = torch.device("cpu")
        case "as_none":
            found = None
        case "as_int" | "as_ints" | "as_float" | "as_floats" | "as_bool" | "as_bools" | "as_string":
            found = value
        case _:
            raise BadInputError(f"it has an argument of the kind {kind}")
    return found


def read_program(file: Path) -> ExportedProgram:
    """Return the program in a file; raise `BadInputError` if it cannot be read, or not safely."""
    with EXPORTED_PROGRAM.reading(file):
        entries = zip_entries(file.read_bytes())
        (model,) = (name for name in entries if name.endswith("/models/model.json"))
        root = model.removesuffix("models/model.json")
        if entries[f"{root}byteorder"] != b"little":
            raise BadInputError("its numbers are not written with the lowest byte first")
        weights: dict[str, torch.Tensor] = {}
        for kind in ("weights", "constants"):
            folder = f"{root}data/{kind}/"
            for name, declared in json.loads(entries[f"{folder}model_{kind}_config.json"])["config"].items():
                weights[name] = _tensor(declared, entries[folder + declared["path_name"]])
        return ExportedProgram(json.loads(entries[model]), weights)


def _tensor(declared: Mapping[str, Any], content: bytes) -> torch.Tensor:
    """Return a tensor of a file."""
    if declared["use_pickle"]:
        raise BadInputError("it has weights that are a pickle")
    meta = declared["tensor_meta"]
    sizes, strides = ([each["as_int"] for each in meta[name]] for name in ("sizes", "strides"))
    dtype = _DTYPES[meta["dtype"]]
    flat = torch.frombuffer(bytearray(content), dtype=dtype) if content else torch.empty(0, dtype=dtype)
    return flat.as_strided(sizes, strides, meta["storage_offset"]["as_int"])


def read_player(game: Game, file: Path) -> Policy:
    """Return the player of the network in a file; raise `BadInputError` if it does not fit the game."""
    program = read_program(file)
    observations, batch = _observations_for(program, game, file)
    with EXPORTED_PROGRAM.reading(file), torch.no_grad():
        seen = torch.empty((*batch, *observations.space.shape), dtype=program.dtype, device="meta")
        sizes = [each.numel() if each.shape[-1:] == (game.num_actions,) else 0 for each in program(seen)]
    wanted = math.prod(batch) * game.num_actions
    if wanted not in sizes:
        raise BadInputError(
            f"{file} returns no number for each of the {game.num_actions} actions of {game.spec}; give a network that "
            "returns how much it prefers each"
        )
    number = sizes.index(wanted)

    def prefer(seen: Observation) -> Float32s:
        with EXPORTED_PROGRAM.reading(file), torch.no_grad(), one_thread():
            given = torch.from_numpy(seen).expand(*batch, *seen.shape).contiguous()
            found: Float32s = program(given)[number].reshape(-1, game.num_actions)[0].float().numpy()
            return found

    return NetworkPlayer(game, prefer, observations)


def _observations_for(program: ExportedProgram, game: Game, file: Path) -> tuple[Observations, tuple[int, ...]]:
    """Return the observations that a program takes, and the number of them at once if it takes a batch."""
    dtype = str(program.dtype).removeprefix("torch.")
    with suppress(BadInputError):  # (a single observation)
        return observations_of_shape(game, [each or 0 for each in program.shape], dtype, file), ()
    batch, *shape = program.shape or (1,)
    return observations_of_shape(game, [each or 0 for each in shape], dtype, file), (batch or 1,)
