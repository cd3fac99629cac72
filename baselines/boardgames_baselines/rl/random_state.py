"""Random numbers of networks, apart from those of the rest of the program."""

import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import numpy as np
import torch

from boardgames_agents.td.torch_network import one_thread


@contextmanager
def seeded(numbers: Sequence[int]) -> Iterator[int]:
    """Seed the global generators of Python, NumPy and torch in the block, and restore them after it.

    Stable-Baselines3 draws from all three.

    Yields:
        A single seed derived from it.
    """
    before = random.getstate(), np.random.get_state(), torch.get_rng_state()
    seed = int(np.random.SeedSequence(list(numbers)).generate_state(1)[0])
    random.seed(seed)
    np.random.seed(seed)
    torch.default_generator.manual_seed(seed)
    try:
        with one_thread():
            yield seed
    finally:
        random.setstate(before[0])
        np.random.set_state(before[1])
        torch.set_rng_state(before[2])
