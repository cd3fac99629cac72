"""The workshop: how the networks that come with the package are made; `networks/README.md` tells of it."""
