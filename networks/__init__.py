"""The workshop, in which the networks of the package are made; see `README.md` here."""
