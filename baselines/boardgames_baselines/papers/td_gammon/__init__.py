"""Tesauro, *Temporal Difference Learning and TD-Gammon*, Communications of the ACM 38 (1995): a module per section.

The paper does not number its sections; they are counted from 1 after its introduction. The jobs of the
experiments are in `jobs`.
"""
