"""Threads and chances of their own for networks, whatever the rest of the program does with them."""

import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import numpy as np
import torch


@contextmanager
def one_thread() -> Iterator[None]:
    """Let torch use one thread within.

    With more, networks as small as these are slower, much slower where other programs want the processors, too; and
    sums might come out differently on another machine.
    """
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


@contextmanager
def own_chances(numbers: Sequence[int]) -> Iterator[int]:
    """Seed Python's, NumPy's and torch's global generators within, and leave them as they were.

    Stable-Baselines3 draws from all three.

    Args:
        numbers: Whole numbers that settle every chance.

    Yields:
        A seed that follows from them.
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
