"""Ctrl-C while arguments are passed to a kernel."""

import os
import signal
import subprocess
import sys
import time

import pytest

ENTER = """
import os, signal, sys
import numpy as np
from numba import types
from boardgames_env import make_game
from boardgames_env.kernels import kernel
from boardgames_env.kernels.bundle import GAME_KERNELS

@kernel(types.void(GAME_KERNELS))
def with_pointers(kernels):
    pass

@kernel(types.void(types.npy_rng))
def with_generator(rng):
    pass

signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs begin with it ignored
for entered, argument in ((with_pointers, make_game("tic_tac_toe").kernels), (with_generator, np.random.default_rng())):
    run = entered.run
    run(argument)
    for _ in range(int(sys.argv[1])):
        try:
            os.write(1, b".")
            while True:
                run(argument)
        except KeyboardInterrupt:
            pass
"""


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="sends Ctrl-C to a process")
def test_ctrl_c_is_ctrl_c_while_arguments_are_passed() -> None:
    times = 1000
    words = [sys.executable, "-c", ENTER, str(times)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        sent = 0
        while running.stdout.read(1):
            time.sleep(1e-3 + sent % 97 * 3e-6)
            running.send_signal(signal.SIGINT)
            sent += 1
        err = running.stderr.read().decode()
    assert (running.returncode, sent) == (0, 2 * times), err
