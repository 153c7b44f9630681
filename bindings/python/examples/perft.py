# SPDX-License-Identifier: MIT
"""Paths of each length of every bundled game, by expanding whole batches of states."""
import sys

import numpy as np

import ludens


def perft(game: ludens.Game, depth: int, most: int) -> list[int]:
    """Numbers of joint-move paths of length 1, 2, ...; ends where there are more than `most`."""
    states, counts = np.stack([game.initial.bits]), []
    weights = np.ones(1, np.int64)
    for _ in range(depth):
        following = ludens.expand(game, states)
        counts.append(int(weights[following.parent].sum()))
        weights = weights[following.parent][~following.terminal]
        states, inverse = np.unique(following.states[~following.terminal], axis=0,
                                    return_inverse=True)
        weights = np.bincount(inverse, weights, len(states)).astype(np.int64)
        if len(states) == 0 or counts[-1] > most:
            break
    return counts


def main(depth: int = 5, most: int = 20_000) -> dict[str, list[int]]:
    table = {}
    for name in ludens.bundled_games():
        game = ludens.Game(name)
        if game.random_role is not None:
            continue  # paths of chance are not counted here
        table[name] = perft(game, depth, most)
        print(f"{name}: {' '.join(map(str, table[name]))}", flush=True)
    return table


if __name__ == "__main__":
    main(*map(int, sys.argv[1:3]))
