"""The values of zones, read off the paper with sets of locations and without haste."""

from boardgames_env.board import Board


def distances(board: Board, start: int, through: set[int]) -> dict[int, int]:
    """How many slides it takes to get from a location to others by way of some; the start is at distance 0."""
    found, frontier = {start: 0}, [start]
    while frontier:
        here = frontier.pop(0)
        for there in board.adjacency[here]:
            if there in through and there not in found:
                found[there] = found[here] + 1
                frontier.append(there)
    return found


def is_in(kind: str, location: int, own: dict[int, int], other: dict[int, int]) -> bool:
    """Whether an empty location qualifies, given its distance from the nearest man of either contestant."""
    mine, theirs = own.get(location, 99), other.get(location, 99)
    return {
        "one-step": mine == 1,
        "two-step": mine <= 2,
        "multi-step": mine < 99,
        "piece-bounded": theirs == 99,
        "private": mine == 1 and theirs != 1,
        "extended-private": mine <= 2 and theirs > 2,
    }[kind]


def nearest(board: Board, men: set[int], empty: set[int]) -> dict[int, int]:
    found: dict[int, int] = {}
    for man in men:
        for location, distance in distances(board, man, empty).items():
            found[location] = min(distance, found.get(location, 99))
    return found


def features_of(board: Board, zone: set[int], own: set[int]) -> list[float]:
    xs, ys = [board.points[each][0] for each in zone], [board.points[each][1] for each in zone]
    width, height = max(xs) - min(xs), max(ys) - min(ys)
    compact = 1.0 if len(zone) == 1 else 0.0 if 0 in (width, height) else min(width / height, height / width)
    lines = [line for line in board.lines if set(line) <= zone]
    longest = max(max(distances(board, location, zone).values()) for location in zone)
    pieces = len(zone & own)
    short = sum(len(line) == 2 for line in lines)
    return [pieces, len(zone), pieces / len(zone), compact, len(lines), short, len(lines) - short, longest, 1]


def values_of(board: Board, own: set[int], other: set[int]) -> list[float]:
    """All values of a contestant, in the kernel's order."""
    empty = set(range(board.size)) - own - other
    mine, theirs = nearest(board, own, empty), nearest(board, other, empty)
    values = []
    for kind in ("one-step", "two-step", "multi-step", "piece-bounded", "private", "extended-private"):
        ground = own | {location for location in empty if is_in(kind, location, mine, theirs)}
        zones = {frozenset(distances(board, man, ground)) for man in own}
        for each in zip(*(features_of(board, set(zone), own) for zone in zones), strict=True):
            values += [min(each), max(each), sum(each) / len(each), sum(each)]
    return values
