import pytest


@pytest.fixture(autouse=True, scope="session")
def _one_thread() -> None:
    """Small sums are slower on several threads, and much slower where other tests want the cores."""
    import torch

    torch.set_num_threads(1)
