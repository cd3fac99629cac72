"""The files of people who are taught: one a person, in JSON, with what was set, played and found."""

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from datetime import date
from pathlib import Path
from threading import Lock
from typing import Any

from boardgames_agents.people.cards import Card
from boardgames_agents.people.examination import Examination
from boardgames_agents.people.judging.cost import TurnError
from boardgames_agents.people.pupil import Assignment, PupilContest
from boardgames_agents.record import entry_of, record_of
from boardgames_env.errors import BadInputError
from boardgames_env.files import FileKind, lock
from boardgames_env.game import Game
from boardgames_env.json_file import read_json, write_json

_KIND = FileKind(
    "a profile of a person",
    "restore a copy of it, or remove it and begin again",
    {"format": "boardgames pupil", "version": 1},
)

EXAM = ""
"""The key of the open contest of an examination among those of trainers."""

_NAME = re.compile(r"[\w][\w -]{0,39}")
_SUFFIX = ".json"


@dataclass(frozen=True)
class Study:
    """What a person has done at a game.

    Attributes:
        contests: The contests that are over, in the order in which they ended.
        exams: The examinations.
        open: The contests that go on, by trainer; the name is where they are played. That of an examination is under
            the empty text.
        cards: The positions in which the person went wrong, which come back.
    """

    contests: tuple[PupilContest, ...] = ()
    exams: tuple[Examination, ...] = ()
    open: Mapping[str, str] = field(default_factory=dict)
    cards: tuple[Card, ...] = ()

    def with_contest(self, contest: PupilContest) -> "Study":
        """Return the study with a contest that is over, or with what has been found in it since."""
        known = [each.sitting for each in self.contests]
        if not contest.sitting or contest.sitting not in known:
            still = {trainer: where for trainer, where in self.open.items() if where != contest.sitting}
            return replace(self, contests=(*self.contests, contest), open=still)
        index = known.index(contest.sitting)
        return replace(self, contests=(*self.contests[:index], contest, *self.contests[index + 1 :]))

    def awaits(self, assignment: Assignment, sitting: str) -> bool:
        """Return whether a contest is to be kept: once, and in an examination only if that was not forgotten since."""
        is_forgotten = assignment.exam >= 0 and self.open.get(EXAM) != sitting
        is_kept = bool(sitting) and any(each.sitting == sitting for each in self.contests)
        return not (is_forgotten or is_kept)

    def looked_through(self, game: Game) -> "Study":
        """Return the study after looking for errors in all contests, as far as that needs no search."""
        judged = (each.judged(game) if each.errors is None else each for each in self.contests)
        return replace(self, contests=tuple(judged))

    def opened(self, trainer: str, sitting: str) -> "Study":
        """Return the study with a contest that has begun."""
        return replace(self, open={**self.open, trainer: sitting})


def is_name(text: str) -> bool:
    """Return whether a person can have a name."""
    return bool(_NAME.fullmatch(text)) and text == text.strip()


class PupilFiles:
    """The files of people in a folder. Several threads and processes may change them at the same time.

    Args:
        folder: The folder.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = Lock()

    def names(self) -> list[str]:
        """Return the names of all people."""
        found = sorted(self._folder.glob(f"*{_SUFFIX}")) if self._folder.is_dir() else []
        return [path.stem for path in found if is_name(path.stem)]

    def read(self, name: str) -> Mapping[str, Study]:
        """Return a person's studies by the spec of the game; none for a person that nothing is known of.

        Raises:
            BadInputError: If the name is not allowed, or the file is damaged or of another version.
        """
        path = self._path(name)
        if not path.exists():
            return {}
        data = read_json(path, _KIND)
        with _KIND.reading(path):
            return {str(game): _study_of(entry) for game, entry in data["studies"].items()}

    def study(self, name: str, game: str) -> Study:
        """Return a person's study of a game; an empty one if there is none."""
        return self.read(name).get(game, Study())

    def change(self, name: str, game: str, change: Callable[[Study], Study]) -> Study:
        """Change a person's study of a game, and return it."""
        with self._locked():
            studies = self.read(name)
            changed = change(studies.get(game, Study()))
            self._write(name, {**studies, game: changed})
        return changed

    def forget(self, name: str, game: str) -> None:
        """Forget a person's study of a game."""
        with self._locked():
            self._write(name, {spec: study for spec, study in self.read(name).items() if spec != game})

    def remove(self, name: str) -> None:
        """Remove a person's file, whatever is in it."""
        with self._locked():
            self._path(name).unlink(missing_ok=True)

    @contextmanager
    def _locked(self) -> Iterator[None]:
        """Keep all others from changing a file: the threads of this process and, by a locked file, other processes."""
        self._folder.mkdir(parents=True, exist_ok=True)
        with self._lock, (self._folder / ".lock").open("ab") as file:
            lock(file)
            yield

    def _write(self, name: str, studies: Mapping[str, Study]) -> None:
        entries = {game: _entry_of_study(study) for game, study in studies.items()}
        write_json(self._path(name), {**_KIND.marks, "studies": entries})

    def _path(self, name: str) -> Path:
        if not is_name(name):
            raise BadInputError("a name has up to 40 letters, digits, blanks and hyphens, the first a letter or digit")
        return self._folder / f"{name}{_SUFFIX}"


def _entry_of_study(study: Study) -> dict[str, Any]:
    return {
        "contests": [
            {
                "assignment": asdict(each.assignment),
                "sitting": each.sitting,
                "record": entry_of(each.record),
                "errors": None if each.errors is None else [[error.number, error.cost] for error in each.errors],
            }
            for each in study.contests
        ],
        "exams": [asdict(each) for each in study.exams],
        "open": dict(study.open),
        "cards": [{**asdict(each), "due": each.due.isoformat()} for each in study.cards],
    }


def _study_of(entry: Any) -> Study:
    return Study(
        contests=tuple(
            PupilContest(
                assignment_of(each["assignment"]),
                str(each["sitting"]),
                record_of(each["record"]),
                None if each["errors"] is None else tuple(TurnError(int(n), float(cost)) for n, cost in each["errors"]),
            )
            for each in entry["contests"]
        ),
        exams=tuple(
            Examination(
                tuple((str(name), str(spec)) for name, spec in each["challengers"]),
                int(each["contests"]),
                bool(each["given_up"]),
            )
            for each in entry["exams"]
        ),
        open={str(trainer): str(where) for trainer, where in entry["open"].items()},
        cards=tuple(map(_card_of, entry.get("cards", ()))),  # (files of earlier versions have none)
    )


def _card_of(entry: Any) -> Card:
    numbers = {name: tuple(map(int, entry[name])) for name in ("state", "played", "better")}
    # (files of earlier versions lack the last)
    texts = {name: tuple(map(str, entry.get(name, ()))) for name in ("sources", "as_good")}
    due = date.fromisoformat(entry["due"])
    return Card(**{**entry, **numbers, **texts, "cost": float(entry["cost"]), "due": due})


def assignment_of(entry: Any) -> Assignment:
    """Return the assignment of its fields; raise `ValueError`, `TypeError` or `KeyError` for anything else."""
    return Assignment(**{**entry, "seats": tuple(map(int, entry["seats"]))})
