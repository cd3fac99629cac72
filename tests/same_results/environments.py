"""Print digests of what the environments return under random play, game by game."""

import hashlib
import sys

import gymnasium
import numpy as np

import boardgames_env


def aec(game: str, plies: int = 300) -> str:
    """Return a digest of what the AEC environment of a game returns over some actions."""
    total = hashlib.sha256()
    rng = np.random.default_rng(1)
    module = next(name for name in dir(boardgames_env) if name.startswith(f"{game}_v"))
    env = getattr(boardgames_env, module).env()
    env.reset(seed=7)
    for _ in range(plies):
        observation, reward, terminated, truncated, _ = env.last()
        total.update(observation["observation"].tobytes() + observation["action_mask"].tobytes())
        total.update(f"{reward} {terminated} {truncated}".encode())
        if all(env.terminations.values()) or all(env.truncations.values()):
            env.reset(seed=8)
            continue
        env.step(int(rng.choice(observation["action_mask"].nonzero()[0])))
    return total.hexdigest()


def single(game: str, opponent: str, plies: int = 100) -> str:
    """Return a digest of what the Gymnasium environment of a game returns over some actions."""
    total = hashlib.sha256()
    rng = np.random.default_rng(2)
    name = next(each for each in gymnasium.registry if each.startswith(f"boardgames/{_camel(game)}-v"))
    env = gymnasium.make(name, opponent=opponent, seat="alternate")
    observation, info = env.reset(seed=3)
    for _ in range(plies):
        mask = info["action_mask"]
        total.update(observation.tobytes() + mask.tobytes())
        observation, reward, terminated, truncated, info = env.step(int(rng.choice(mask.nonzero()[0])))
        total.update(f"{reward} {terminated} {truncated}".encode())
        if terminated or truncated:
            observation, info = env.reset()
    return total.hexdigest()


def batch(game: str, copies: int = 8, steps: int = 200) -> str:
    """Return a digest of what the vector environment of a game returns over some steps."""
    total = hashlib.sha256()
    rng = np.random.default_rng(3)
    name = next(each for each in gymnasium.registry if each.startswith(f"boardgames/{_camel(game)}-v"))
    env = gymnasium.make_vec(name, copies, vectorization_mode="vector_entry_point")
    observations, infos = env.reset(seed=5)
    for _ in range(steps):
        mask = infos["action_mask"]
        total.update(observations.tobytes() + mask.tobytes())
        actions = np.array([rng.choice(row.nonzero()[0]) if row.any() else 0 for row in mask])
        observations, rewards, terminated, truncated, infos = env.step(actions)
        total.update(rewards.tobytes() + terminated.tobytes() + truncated.tobytes())
    return total.hexdigest()


def _camel(game: str) -> str:
    return "".join(word.capitalize() for word in game.split("_"))


if __name__ == "__main__":
    for each in sys.argv[1:] or list(boardgames_env.registered_games()):
        print("digest", each, aec(each), single(each, "random"), batch(each))
    if not sys.argv[1:]:
        print("digest", single("tic_tac_toe", "fallible(e=0.5)"), single("five_mens_morris", "mcts(playouts=10)"))
