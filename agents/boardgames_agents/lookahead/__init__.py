"""Look-ahead where there are dice: expectimax, rollouts, and a policy, over any evaluator."""
