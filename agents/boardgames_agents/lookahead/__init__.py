"""Looking ahead where there are dice: expectimax, rollouts, and a policy made of them, over any evaluator."""
