"""`boardgames replay`: a recorded contest at the terminal."""

from boardgames_cli.play import announcer
from boardgames_cli.printing import console
from boardgames_cli.shared_options import ContestNumber, RecordFile, recorded_contest


def replay(file: RecordFile, contest: ContestNumber = 1) -> None:
    """Play a recorded contest again at the terminal."""
    found = recorded_contest(file, contest)
    game, record = found.game, found.record
    names = [f"{player} ({man.name})" for player, man in zip(record.players, game.men, strict=True)]
    console.print(f"{game.spec}: {' v. '.join(names)}", style="bold", soft_wrap=True)
    console.print(game.initial.text)
    watcher = announcer(game, None, {})
    for position, action in zip(found.positions, record.actions, strict=False):
        watcher.saw(position, action)
    points = abs(record.outcome)
    result = "cut short by a limit" if record.cut else "a draw"
    if points:
        result = f"{names[0 if record.outcome > 0 else 1]} wins{f' {points} points' if points > 1 else ''}"
    console.print(result, style="bold", soft_wrap=True)
    console.print(
        f"{record.plies} plies; contest {contest} of {found.contests:,}; seed {[*record.seed]}", soft_wrap=True
    )
