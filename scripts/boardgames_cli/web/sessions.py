"""The sessions of the contests last shown, as they were left: nobody waits until a contest is played again."""

from collections.abc import Iterator
from contextlib import contextmanager

from boardgames_agents.people.session import PlaySession
from boardgames_cli.web.kept import Kept
from boardgames_cli.web.sitting import Sitting, session_of

_MOST_KEPT = 64
"""The number of contests whose sessions are kept in memory; those of others are made again when they are needed."""


class Sessions:
    """Keeps sessions without agents, each for the version of its sitting that it stands for.

    A session is lent to one thread at a time; whoever asks for the same in the meantime gets one that is made for it.
    """

    def __init__(self) -> None:
        self._kept = Kept[tuple[str, int], PlaySession](_MOST_KEPT)

    @contextmanager
    def of(self, sitting: Sitting) -> Iterator[PlaySession]:
        """Lend the session of a sitting, in which nothing may be changed."""
        session = self.taken(sitting)
        yield session
        self.keep(sitting, session)

    def taken(self, sitting: Sitting) -> PlaySession:
        """Return the session of a sitting to somebody who may change it.

        Raises:
            BadInputError: If an action is not legal, or an event cannot happen.
        """
        return self._kept.pop((sitting.id, sitting.version)) or session_of(sitting)

    def keep(self, sitting: Sitting, session: PlaySession) -> None:
        """Keep the session of a sitting."""
        self._kept.put((sitting.id, sitting.version), session)
