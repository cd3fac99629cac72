"""What the learners of `rl` come to, beside TD(λ) and tables: no paper's figures, but those of docs/rl.md."""
