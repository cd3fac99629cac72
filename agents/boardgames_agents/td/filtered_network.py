"""A network whose look-ahead evaluates only the replies that a faster network likes best."""

from boardgames_agents.lookahead.evaluator import DrawnReplies, Probabilities
from boardgames_agents.td.best_replies import ReplyFilter
from boardgames_agents.td.network import Network
from boardgames_env.errors import BadInputError, require
from boardgames_env.kernels.signatures import Bools, Float64s, Int8s


class FilteredNetwork:
    """An evaluator: a network, and another that chooses the replies which it compares.

    See `boardgames_agents.lookahead.evaluator.ReplyEvaluator`. What it predicts of a single position is the network's.
    Replies are filtered by their expected points, whatever the utility of the seats is.

    Args:
        network: The network.
        filtering: The network that filters replies.
        kept: The number of replies to a chance event that are left.

    Raises:
        BadInputError: If the networks are for different games, or no reply would be left.
    """

    def __init__(self, network: Network, filtering: Network, kept: int) -> None:
        require(1, kept=kept)
        if filtering.game is not network.game:
            raise BadInputError(f"a network for {filtering.game.spec} cannot filter replies in {network.game.spec}")
        self.network, self.filtering, self.kept = network, filtering, kept

    def outcome_probabilities(self, states: Int8s) -> Probabilities:
        """Return the probability of each outcome for the seat to move."""
        return self.network.outcome_probabilities(states)

    def finds_replies(self, states: Int8s) -> Bools:
        """Return true for each state."""
        return self.network.finds_replies(states)

    def after_best_replies(self, states: Int8s, utility: Float64s, decline: int, stake: int) -> Probabilities:
        """Return the mean probabilities after the best reply that is left, over the chance events."""
        return self.network.after_filtered_replies(self._filter, states, utility, decline, stake).means

    def after_drawn_replies(
        self, states: Int8s, utility: Float64s, decline: int, stake: int, draws: Float64s, number: int
    ) -> DrawnReplies:
        """Return these means, and the best replies to some of the events; see `ReplyEvaluator`."""
        return self.network.after_filtered_replies(self._filter, states, utility, decline, stake, draws, number)

    @property
    def _filter(self) -> ReplyFilter:
        return ReplyFilter(self.filtering.bundle, self.kept)
