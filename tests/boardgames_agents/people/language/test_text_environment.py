"""Text environments with exact rewards, by themselves and in the forms of other packages."""

import copy
import re
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from boardgames_agents.arena.contest import play_contest
from boardgames_agents.people.language.player import ChatPlayer
from boardgames_agents.people.language.prompt import PromptForm
from boardgames_agents.people.language.text_environment import TextEnvironment
from boardgames_agents.people.language.trainer_forms import move_rewards, openenv_app, textarena_environment
from boardgames_agents.registry import make_agent
from boardgames_env import BadInputError, solve
from tests.boardgames_agents.people.language.chats import first_listed, playing, serving, tic_tac_toe

Answer = Callable[[str], str]


def first(text: str) -> str:
    return first_listed({"messages": [{"content": text}]}, 0)


def play(environment: TextEnvironment, seed: int, answer: Answer) -> tuple[list[float], int]:
    """Play an episode; return the rewards, and the points at the end."""
    text, rewards = environment.reset(seed), []
    while True:
        step = environment.step(answer(text))
        text = step.text
        rewards.append(step.reward)
        if step.is_done:
            return rewards, step.points


def perfect(text: str) -> str:
    return playing(tic_tac_toe(), "perfect")({"messages": [{"content": text}]}, 0)


def test_a_single_position_has_the_exact_reward() -> None:
    environment, losses = TextEnvironment("tic_tac_toe"), set()
    for seed in range(40):
        text = environment.reset(seed)
        assert text == environment.reset(seed)
        answer = first(text)
        position = environment._session.position
        action = tic_tac_toe().parse_action(answer)
        loss = solve(tic_tac_toe()).value(position) - solve(tic_tac_toe()).value_for(
            position.after(action), position.seat
        )
        assert environment.step(answer).reward == -loss
        losses.add(loss)
        assert move_rewards([answer], [tic_tac_toe().spec], [position.state.tolist()]) == [-loss]
        assert move_rewards([[{"role": "assistant", "content": "?"}]], [tic_tac_toe().spec], [position.state]) == [
            -2 - solve(tic_tac_toe()).value(position)
        ]
    assert losses == {0, 1, 2}


def test_a_contest_is_lost_by_what_is_given_away() -> None:
    """Against a perfect opponent, the points are the value of the game and the sum of the rewards."""
    environment = TextEnvironment("tic_tac_toe", opponent="perfect")
    found = [play(environment, seed, first) for seed in range(10)]
    assert all(sum(rewards) == points for rewards, points in found)
    assert {points for _, points in found} == {-1, 0} or {points for _, points in found} == {-1}
    assert all(play(environment, seed, perfect) == ([0.0] * (5 - seed % 2), 0) for seed in range(6))
    assert [environment.reset(seed).count("Your side is X") for seed in (0, 1)] == [1, 0]


def test_without_a_reset_the_first_episode_is_that_of_seed_0() -> None:
    one, other = (TextEnvironment("tic_tac_toe", opponent="perfect") for _ in range(2))
    other.reset(0)
    assert one.step("4") == other.step("4")


def test_other_seeds_draw_other_positions() -> None:
    training, evaluation = (TextEnvironment("shisima", positions=5, seed=seed) for seed in (0, 1))
    seen = [{each.reset(seed) for seed in range(60)} for each in (training, evaluation)]
    assert [len(each) for each in seen] == [5, 5]
    assert not seen[0] & seen[1]


def test_an_answer_without_a_move_is_sent_back_or_loses() -> None:
    environment = TextEnvironment("tic_tac_toe", opponent="random", retries=1)
    environment.reset(0)
    step = environment.step("I resign")
    assert (step.is_legal, step.is_done, step.reward) == (False, False, 0)
    assert step.text.startswith("There is no move in the answer; the legal moves are: ")
    step = environment.step("I resign")
    assert (step.is_legal, step.is_done, step.reward, step.points) == (False, True, -2, -1)
    with pytest.raises(BadInputError, match="the episode is over"):
        environment.step("4")


def test_games_in_disguise_and_of_several_actions_a_move() -> None:
    disguised = TextEnvironment("disguised(game='tic_tac_toe', seed=3)", opponent="perfect")
    assert "Tic" not in disguised.reset(0)
    rewards, points = play(disguised, 0, lambda text: re.findall(r"The legal moves: (\w+)", text)[-1])
    assert sum(rewards) == points


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"game": "backgammon"}, "that can be solved"),
        ({"game": "backgammon"}, "known at games that can be solved only, and backgammon is not one"),
        ({"game": "tic_tac_toe", "retries": -1}, "retries"),
        ({"game": "tic_tac_toe", "retries": 1.5}, r"retries=1.5 is not allowed; it must be a whole number at least 0"),
        ({"game": "tic_tac_toe", "retries": "1"}, "retries='1' is not allowed"),
        ({"game": "tic_tac_toe", "positions": 2.0}, r"positions=2.0 is not allowed"),
        ({"game": "tic_tac_toe", "seed": None}, "seed=None is not allowed"),
        ({"game": "tic_tac_toe", "form": "json"}, "form='json' is not allowed; it must be a PromptForm"),
        ({"game": "tic_tac_toe", "form": ""}, "form='' is not allowed"),
        ({"game": "tic_tac_toe", "opponent": "human"}, "human is a person; the opponent of a model is a program"),
        ({"game": "tic_tac_toe", "opponent": "nobody"}, "nobody"),
    ],
)
def test_other_options_are_refused(options: dict[str, Any], why: str) -> None:
    with pytest.raises(BadInputError, match=why):
        TextEnvironment(**options)
    for made in (textarena_environment, openenv_app):
        with pytest.raises(BadInputError, match=f"{why}|needs? the package"):
            made(**options)


def test_what_is_no_seed_answer_or_form_is_refused() -> None:
    environment = TextEnvironment("tic_tac_toe")
    for seed in (1.5, None, "1", -1, True):
        with pytest.raises(BadInputError, match=re.escape(f"seed={seed!r} is not allowed; it must be a whole number")):
            environment.reset(seed)  # type: ignore[arg-type]
    for answer in (None, 4, ["4"]):
        with pytest.raises(BadInputError, match=re.escape(f"an answer is a text, not {answer!r}")):
            environment.step(answer)  # type: ignore[arg-type]
    with pytest.raises(BadInputError, match="there is no form of the board 'xml'; the boards are: text, json"):
        PromptForm(board="xml")  # type: ignore[arg-type]


@pytest.mark.parametrize("actions", [(4,), (0, 3, 1, 4, 8), (0, 3, 1, 4)])
def test_an_answer_without_a_move_is_worse_than_any_move(actions: tuple[int, ...]) -> None:
    """In a draw, a lost position and one that is won."""
    position = tic_tac_toe().initial.after(*actions)
    answers = [tic_tac_toe().action_text(action) for action in position.legal_actions]
    *legal, wrong = move_rewards(
        [*answers, "I resign"], [tic_tac_toe().spec] * (1 + len(answers)), [position.state] * (1 + len(answers))
    )
    assert wrong == -2 - solve(tic_tac_toe()).value(position) < min(legal)


@pytest.mark.parametrize(
    "answer",
    [
        "4",
        [{"role": "user", "content": "?"}, {"role": "assistant", "content": "4"}],
        [{"role": "assistant", "content": [{"type": "text", "text": "I take "}, {"type": "text", "text": "4."}]}],
        [{"content": [{"type": "image_url", "image_url": {"url": "x"}}, {"type": "text", "text": "4"}]}],
        ({"content": ("4",)},),
    ],
)
def test_rewards_read_every_form_of_an_answer(answer: Any) -> None:
    assert move_rewards([answer], [tic_tac_toe().spec], [tic_tac_toe().initial.state]) == [0]


@pytest.mark.parametrize(
    "answer", [None, "", [], [{"role": "assistant", "content": None}], [{"role": "assistant"}], [{"content": []}]]
)
def test_an_empty_answer_has_no_move(answer: Any) -> None:
    assert move_rewards([answer], [tic_tac_toe().spec], [tic_tac_toe().initial.state]) == [-2]


@pytest.mark.parametrize(
    ("columns", "why"),
    [
        ((["4"], ["tic_tac_toe"], [(0, 3, 1, 4, 2)]), "the contest is over in this position"),
        ((["4", "4"], ["tic_tac_toe"], [()]), "there are 2 completions, 1 games and 1 states"),
        (([4], ["tic_tac_toe"], [()]), "an answer is a text, or a chat whose last message has one"),
        (([{"content": "4"}], ["tic_tac_toe"], [()]), "an answer is a text, or a chat"),
        (([[{"content": 4}]], ["tic_tac_toe"], [()]), "an answer is a text, or a chat"),
        ((["4"], ["backgammon"], [()]), "known at games that can be solved only"),
        ((["4"], [None], [()]), "'None' is not a spec"),
        ((["4"], [["tic_tac_toe"]], [()]), "is not a spec"),
        ((["4"], ["tic_tac_toe"], [None]), "a state of tic_tac_toe has shape"),
        ((["4"], ["tic_tac_toe"], [[0, [1, 2]]]), "a state of tic_tac_toe is made of whole numbers"),
    ],
)
def test_rewards_of_other_columns_are_refused(columns: tuple[Any, Any, Any], why: str) -> None:
    answers, games, places = columns  # (a tuple of actions stands for the state after them)
    initial = tic_tac_toe().initial
    states = [
        (initial.after(*place) if place else initial).state if isinstance(place, tuple) else place for place in places
    ]
    with pytest.raises(BadInputError, match=why):
        move_rewards(answers, games, states)


@pytest.mark.filterwarnings("ignore")
def test_textarena_plays_it() -> None:
    textarena = pytest.importorskip("textarena", reason="the extra textarena is not installed")
    inner = TextEnvironment("tic_tac_toe", opponent="perfect")
    textarena.register("Boardgames-TicTacToe-v0", textarena_environment, game="tic_tac_toe", opponent="perfect")
    made = copy.deepcopy(textarena.make("Boardgames-TicTacToe-v0"))
    assert isinstance(made, textarena.Env)
    environment = textarena.wrappers.LLMObservationWrapper(made)
    for seed in range(4):
        environment.reset(num_players=1, seed=seed)
        environment.full_observations.clear()
        done, rewards = False, []
        while not done:
            player, observation = environment.get_observation()
            assert player == 0
            done, info = environment.step(re.findall(r"The legal moves: (\w+)", observation)[-1])
            rewards.append(info["reward"])
        assert (rewards, environment.close()[1][0]["points"]) == play(inner, seed, first)
        assert environment.close()[0] == {0: sum(rewards)}
    environment.reset(num_players=1, seed=0)
    assert environment.step("I resign")[0]
    assert (environment.close()[0], environment.close()[1][0]["invalid_move"]) == ({0: -2.0}, True)


@contextmanager
def served(app: Any) -> Iterator[str]:
    """Serve an application over HTTP, and yield its address."""
    uvicorn = pytest.importorskip("uvicorn", reason="the extra web is not installed")
    listening = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(app, log_level="warning"))
    thread = Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    server.should_exit = True
    thread.join()


@pytest.mark.filterwarnings("ignore")
def test_openenv_serves_it() -> None:
    pytest.importorskip("openenv", reason="the extra openenv is not installed")
    from openenv.core import GenericEnvClient

    inner = TextEnvironment("tic_tac_toe", opponent="perfect")
    with (
        served(openenv_app("tic_tac_toe", opponent="perfect")) as url,
        GenericEnvClient(base_url=url).sync() as client,
        GenericEnvClient(base_url=url).sync() as other,
    ):
        for seed in range(4):
            other.reset(seed=seed + 1)
            found, rewards = client.reset(seed=seed), []
            while not found.done:
                found = client.step({"answer": first(found.observation["text"])})
                rewards.append(found.reward)
            assert (rewards, found.observation["points"]) == play(inner, seed, first)
        assert client.state()["step_count"] == len(rewards)


def test_what_a_model_is_trained_in_is_what_it_is_asked_in_contests(tmp_path: Path) -> None:
    """The first prompts of a contest are those that the agent `chat` sends."""
    environment = TextEnvironment("tic_tac_toe", opponent="perfect")
    with serving(first_listed) as server:
        player = ChatPlayer(tic_tac_toe(), "m", url=server.url, transcript=str(tmp_path / "t"))
        play_contest(tic_tac_toe(), (player, make_agent("perfect", tic_tac_toe())), [0])
    assert server.requests[0]["messages"][0]["content"] == environment.reset(0)
