"""The experiments of docs/rl.md: the learners of `rl` beside TD(λ) and tables."""
