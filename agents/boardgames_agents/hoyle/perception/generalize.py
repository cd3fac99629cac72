"""Generalizations over patterns: the facts common to several of them (Epstein 2001, section 4.1)."""

from collections.abc import Sequence
from itertools import combinations

from boardgames_agents.hoyle.perception.pattern import Contents, Pattern

_LEAST = 2
"""The smallest number of locations of a generalization, as of templates."""


def generalizations(patterns: Sequence[Pattern], known: Sequence[Pattern], contents: Contents) -> list[Pattern]:
    """Return generalizations of patterns on the same template with the same response.

    The generalization of the most patterns comes first, and each pattern is generalized only once. Patterns of earlier
    generalizations, those ``known``, are skipped.
    """
    templates: dict[int, list[Pattern]] = {}
    for pattern in patterns:
        templates.setdefault(contents.images(contents.place(pattern.facts))[0], []).append(pattern)
    found: list[Pattern] = []
    for group in templates.values():
        left = group
        while True:
            left = [each for each in left if not any(_holds_for(each, one, contents) for one in (*known, *found))]
            common = {
                general: sum(_holds_for(each, general, contents) for each in left)
                for general in _common(left, contents)
                if all(each.response == general.response or not _is_part(general, each, contents) for each in group)
            }
            if not common:
                break
            found.append(max(common, key=lambda general: (common[general], -general.facts)))
    return found


def _common(patterns: Sequence[Pattern], contents: Contents) -> list[Pattern]:
    """Return the common facts of any two patterns on one template with the same response."""
    found: dict[Pattern, None] = {}
    for one, other in combinations(patterns, 2):
        if one.response != other.response:
            continue
        place = contents.place(one.facts)
        for image in contents.images(other.facts):
            common = one.facts & image
            if contents.place(image) == place and common.bit_count() >= _LEAST:
                found[Pattern(contents.images(common)[0], one.response)] = None
    return list(found)


def _holds_for(pattern: Pattern, general: Pattern, contents: Contents) -> bool:
    """Return whether a generalization has the response of a pattern and a part of its facts."""
    return pattern.response == general.response and _is_part(general, pattern, contents)


def _is_part(general: Pattern, pattern: Pattern, contents: Contents) -> bool:
    return any(pattern.facts & image == image for image in contents.images(general.facts))
