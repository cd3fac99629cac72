"""Cards of one's own mistakes: positions in which one went wrong, which come back at growing intervals.

The schedule is Leitner's (S. Leitner, *So lernt man lernen*, 1972): a card that is answered right moves on to the next
box, whose interval is twice as long, and one that is answered wrong goes back to the first.
"""

import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from html import escape
from pathlib import Path

from boardgames_agents.people.judging.cost import Judgement, as_well, judgement_of
from boardgames_agents.people.judging.mistakes import Mistake, points_text
from boardgames_env.contest import is_same_turn, turn_text
from boardgames_env.errors import BadInputError, MissingLibraryError
from boardgames_env.game import Game
from boardgames_env.position import Position
from boardgames_env.render.layout import caption
from boardgames_env.render.svg import draw_svg

INTERVALS = (1, 2, 4, 8, 16, 32, 64)
"""The days after which the cards of each box come back."""


@dataclass(frozen=True)
class Card:
    """A position in which a person went wrong, and when it comes back.

    Attributes:
        state: The state of the position, of the game that the card is kept under.
        played: The actions of the turn that went wrong.
        better: The actions of a better turn.
        cost: What the turn gave away, in points.
        due: The day on which it comes back.
        box: Its box, from 0: the number of right answers in a row, up to the last box.
        sources: Where it went wrong, such as the names of contests.
        as_good: The texts of further turns that tie with the better one.
    """

    state: tuple[int, ...]
    played: tuple[int, ...]
    better: tuple[int, ...]
    cost: float
    due: date
    box: int = 0
    sources: tuple[str, ...] = ()
    as_good: tuple[str, ...] = ()

    @classmethod
    def of(cls, mistake: Mistake, today: date, source: str) -> "Card":
        """Return the card of a mistake, which is due at once."""
        state = tuple(mistake.before.state.tolist())
        turns = mistake.played.actions, mistake.best.actions
        return cls(state, *turns, mistake.error.cost, today, sources=(source,), as_good=mistake.as_good)

    def answered(self, is_right: bool, today: date) -> "Card":
        """Return the card after an answer: in the next box or the first, and due after its interval."""
        box = min(self.box + 1, len(INTERVALS) - 1) if is_right else 0
        return replace(self, box=box, due=today + timedelta(days=INTERVALS[box]))


@dataclass(frozen=True)
class CardAnswer:
    """What a person has played in the position of a card.

    Attributes:
        is_right: Whether it gives nothing away, by what judges contests, or leads where the better turn does.
        judged: The turn beside the best one.
    """

    is_right: bool
    judged: Judgement

    @classmethod
    def of(cls, card: Card, game: Game, actions: Sequence[int]) -> "CardAnswer":
        """Judge the actions of a whole turn.

        Raises:
            BadInputError: If they are not those of a whole turn, or one is not legal.
        """
        position = game.position(card.state)
        after = after_actions(position, actions)
        if is_same_turn(position.seat, after):
            raise BadInputError("the turn is not over; play the rest of it, too")
        judged = judgement_of(position, actions)
        return cls(after.key == position.after(*card.better).key or not judged.cost, judged)


def after_actions(position: Position, actions: Sequence[int]) -> Position:
    """Return the position after actions of one turn; raise `BadInputError` if one is not legal, or of another turn."""
    reached = position
    for action in actions:
        if not is_same_turn(position.seat, reached):
            raise BadInputError("these are the actions of more than one turn; play one turn")
        reached = reached.play(action)
    return reached


def with_mistakes(cards: Sequence[Card], new: Iterable[Card], game: Game) -> tuple[Card, ...]:
    """Return cards and new ones: a position that went wrong once more goes back to the first box.

    Positions that symmetries map to each other are one card. What went wrong at the same place is added once.
    """
    found = {game.position(card.state).canonical: card for card in cards}
    for card in new:
        key = game.position(card.state).canonical
        before = found.get(key)
        if before is None:
            found[key] = card
        elif not set(card.sources) <= set(before.sources):
            found[key] = replace(card, sources=(*before.sources, *card.sources))
    return tuple(found.values())


def due_first(cards: Iterable[Card]) -> list[Card]:
    """Return cards in the order in which they come back; of those of one day, the costliest first."""
    return sorted(cards, key=lambda card: (card.due, -card.cost))


_STYLE = ".card {font-family: sans-serif; text-align: center} img {max-width: 100%}"
_DECK, _MODEL = 1_940_000_001, 1_940_000_002
"""The numbers by which Anki knows the kind of notes, and, with one of its own for each game, the decks."""


def write_anki(path: Path, cards: Mapping[Game, Sequence[Card]]) -> None:
    """Write cards as a package that Anki imports: a deck for each game, with pictures; see the library genanki.

    A card that is imported once more takes the place of the earlier one and keeps its schedule in Anki.

    Raises:
        MissingLibraryError: Without genanki.
    """
    try:
        import genanki
    except ModuleNotFoundError as error:
        raise MissingLibraryError(f"cards for Anki need {error.name}", "anki") from None

    sides = {"qfmt": "{{Picture}}<p>{{Question}}</p>", "afmt": "{{Solution}}<p>{{Answer}}</p>", "name": "Position"}
    fields = [{"name": name} for name in ("Position", "Picture", "Question", "Solution", "Answer")]
    model = genanki.Model(_MODEL, "A position of a board game", fields=fields, templates=[sides], css=_STYLE)
    decks, files = [], []
    with tempfile.TemporaryDirectory() as folder:
        for game, own in cards.items():
            number = _DECK + int(genanki.guid_for(game.spec).encode().hex(), 16) % 10**9
            deck = genanki.Deck(number, f"Board games::{game.title}")
            decks.append(deck)
            for card in own:
                position = game.position(card.state)
                name = genanki.guid_for(game.spec, *card.state)
                after = position.after(*card.better)
                pictures = {
                    f"boardgames-{name.encode().hex()}-position.svg": draw_svg(position),
                    f"boardgames-{name.encode().hex()}-solution.svg": draw_svg(
                        after, before=position, viewer=position.seat
                    ),
                }
                for file, picture in pictures.items():
                    Path(folder, file).write_text(picture, encoding="utf-8")
                    files.append(str(Path(folder, file)))
                front, back = (f'<img src="{file}">' for file in pictures)
                texts = [name, front, escape(question(position)), back, escape(answer(position, card))]
                deck.add_note(genanki.Note(model=model, fields=texts, guid=name))
        genanki.Package(decks, files).write_to_file(str(path))


def question(position: Position) -> str:
    """Return the question of a card: whose turn it is."""
    text = caption(position).partition(";")[0]
    return f"{text[:1].upper()}{text[1:]}. What is best?"


def answer(position: Position, card: Card) -> str:
    """Return the answer of a card: the better turn, and the one that went wrong."""
    better, played = turn_text(position, card.better), turn_text(position, card.played)
    return f"Better: {better}{as_well(card.as_good)}. You played {played}, which gave away {points_text(card.cost)}."
