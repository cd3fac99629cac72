"""Language models at the board: prompts, the reader of answers, the agent, and grades by exact values."""
