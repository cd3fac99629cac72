"""Threads and random numbers of networks, apart from those of the rest of the program."""

import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import numpy as np
import torch


@contextmanager
def one_thread() -> Iterator[None]:
    """Let torch use one thread in the block.

    With more threads, networks as small as these are slower, and sums may differ between machines.
    """
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


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
