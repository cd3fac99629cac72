"""The items of useful knowledge, a module for each kind."""
