"""Values that are kept in memory as long as they are among those last asked for."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class Kept(Generic[Key, Value]):
    """The values last asked for or put here, at most some number of them, by key; for several threads."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._values: OrderedDict[Key, Value] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Key) -> Value | None:
        """Return the value of a key, if it is kept."""
        with self._lock:
            if key in self._values:
                self._values.move_to_end(key)
            return self._values.get(key)

    def put(self, key: Key, value: Value) -> None:
        """Keep a value in the place of another one."""
        with self._lock:
            self._values[key] = value
            self._values.move_to_end(key)
            if len(self._values) > self._most:
                self._values.popitem(last=False)

    def pop(self, key: Key) -> Value | None:
        """Return the value of a key, if it is kept, and keep it no longer."""
        with self._lock:
            return self._values.pop(key, None)

    def get_or_make(self, key: Key, make: Callable[[], Value]) -> Value:
        """Return the value of a key; make it if it is not kept, which several threads may do at once."""
        found = self.get(key)
        if found is None:
            found = make()
            self.put(key, found)
        return found
