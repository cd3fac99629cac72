"""Tesauro, *Temporal Difference Learning and TD-Gammon*, Communications of the ACM 38 (1995).

The paper does not number its sections; they are counted from 1 after its introduction. The figures and tables are in
`experiments`, what they share in `trials`.
"""
