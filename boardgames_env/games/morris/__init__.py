"""The morris family: boards, rules, kernels and heuristics."""
