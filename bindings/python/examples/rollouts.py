# SPDX-License-Identifier: MIT
"""Random games in bulk: who wins connect four, how long it takes, and how fast that is known."""
import sys
import time

import numpy as np

import ludens


def main(game_name: str = "connect_four", slots: int = 8192, steps: int = 500) -> None:
    game = ludens.Game(game_name)

    # Whole games, played inside.
    begin = time.perf_counter()
    start = np.stack([game.initial.bits])
    goals, moves = ludens.play_out(game, start, 200_000)
    seconds = time.perf_counter() - begin
    print(f"{game.name}: mean goals {dict(zip(game.roles, goals[0].round(2)))}, "
          f"{moves / 200_000:.1f} moves a game, {moves / seconds / 1e6:.0f} M moves/s")

    # The same step by step, with actions that are chosen here.
    env = ludens.VecEnv(game, slots, seed=1, autoreset="next_step", observation="bits", mask="bits")
    sums, games = np.zeros(len(game.players)), 0
    begin = time.perf_counter()
    for _ in range(steps):
        _, rewards, terminated, _, _ = env.step(env.sample())
        sums += rewards[terminated].sum(axis=0)
        games += int(terminated.sum())
    seconds = time.perf_counter() - begin
    print(f"{games} games step by step: mean rewards {(sums / games).round(3)}, "
          f"{env.total_steps / seconds / 1e6:.0f} M moves/s")


if __name__ == "__main__":
    main(*sys.argv[1:2], *map(int, sys.argv[2:4]))
