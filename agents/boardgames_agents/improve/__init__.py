"""Expert iteration: a network learns what a deeper look-ahead with itself finds.

Self-play by TD(λ) learns from how predictions change along a contest. Expert iteration begins where that ends, with no
knowledge but the rules and the network. In each iteration

1. the network plays contests with itself by TD(λ) at a low learning rate, if asked to, and becomes the teacher
   (`teacher`);
2. the teacher plays more contests, one ply deep; at each roll its best moves are collected (`examples`);
3. the positions after them are *labelled* with the probabilities that a deeper look-ahead with the teacher finds, and
   exactly where both seats bear off;
4. a copy of the teacher, or at first a larger one, is fitted to the labels of the last iterations (`fitting`);
5. rolls that were set apart tell whether it is better than the teacher: how many points its choices lose by the labels.
   The better of the two goes on (`improvement`). Whether self-play has helped is not tested.

The best few moves of each roll are labelled, and not only the positions that come up: they teach how those moves
compare that the network is asked to compare. (`networks/`, the workshop of the package's networks, extends this.)

`engine` is the folder in which iterations go on, for every teacher. What is described here is the teacher of games
with dice; that of games without is the tree search of `boardgames_agents.alpha_zero`.

Sources: T. Anthony, Z. Tian and D. Barber, *Thinking fast and slow with deep learning and tree search*, Advances in
Neural Information Processing Systems 30 (2017); G. Tesauro and G. R. Galperin, *On-line policy improvement using
Monte-Carlo search*, Advances in Neural Information Processing Systems 9 (1996), for the idea that a policy is improved
by the look-ahead that it makes possible.
"""
