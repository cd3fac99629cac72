"""The morris games, which are played on squares within each other; three in a row capture.

## Rules

Each seat begins with its men in hand, and black (seat 0) moves first. In the *placing stage* a turn puts a man on any
empty point. When all men are placed, in the *sliding stage*, a turn moves one of one's own men along a line to the
next point, if that is empty. Three men of one seat next to each other on a line are a *mill*. Whoever makes a mill, in
either stage, captures one man of the other seat, which leaves the game. A man in a mill is safe unless all are in
mills. A mill that is opened and closed again captures again; two mills closed at once capture one man. If the other
seat has no man on the board yet, there is no capture.

A seat that is left with two men, those in hand included, has lost; so has one that is to slide and cannot. Where all
points are taken when placing ends, as can be with twelve men each, nobody can ever move, and the contest is a draw.

In some of these games, or by choice, men *fly*: a seat with no man in hand and few on the board may move to any empty
point. Options: `fly_at=k`, for a k above two, lets a seat fly with at most k men; `any_capture=True` lets
men in mills be captured like others; `capture_each_mill=True` captures as many men as mills are closed at once;
`diagonal_mills=False`, of the games with diagonals, lets men move along them but make no mills.

## End of the contest

Two men left, or none that can move. A draw when a position comes up for the third time (options `recurrences`, 0 for
no limit, and `recurrence_key`: the `"position"` with whose turn it is, the `"board"` alone, or the position up to
`"symmetry"`). After 200 plies the contest is cut short, which no rule asks for; on two squares it is a draw after 80
(option `plies`, 0 for no limit). A capture belongs to the ply of the move that made the mill.
"""
