"""The question of Epstein 1994, asked of every learner: which trainer makes it reliable, and how fast?"""
