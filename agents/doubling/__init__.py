"""The doubling cube: when to double, take, drop and beaver, from the probabilities of outcomes without a cube."""
