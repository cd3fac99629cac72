"""The doubling cube: when to double, take and pass."""
