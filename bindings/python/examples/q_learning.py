# SPDX-License-Identifier: MIT
"""Tabular Q-learning of a game for one: the tour of a knight on a small board."""
import sys
from collections import defaultdict

import numpy as np

import ludens


def learn(game: ludens.Game, steps: int, slots: int = 256, seed: int = 1) -> dict:
    """Values of actions by state: {bytes of the state: float64 [actions]}."""
    env = ludens.VecEnv(game, slots, seed=seed, autoreset="same_step", max_steps=40,
                        observation="bits", keep_final=True)
    table: dict = defaultdict(lambda: np.zeros(len(game.actions())))
    random = np.random.default_rng(seed)
    for step in range(steps):
        before, legal = env.observations.copy(), env.masks.copy()
        actions = env.sample()
        greedy = np.flatnonzero(random.random(slots) < step / steps)
        for slot in greedy:
            values = np.where(legal[slot], table[before[slot].tobytes()], -1.0)
            actions[slot, 0] = random.choice(np.flatnonzero(values == values.max()))
        after, rewards, terminated, truncated, info = env.step(actions)
        seen = np.where((terminated | truncated)[:, None], info["final_obs"], after)
        for slot in range(slots):
            future = 0.0 if terminated[slot] else 0.95 * table[seen[slot].tobytes()].max()
            values = table[before[slot].tobytes()]
            action = actions[slot, 0]
            values[action] += 0.5 * (rewards[slot, 0] + future - values[action])
    return table


def play(game: ludens.Game, table: dict) -> ludens.State:
    """The game as the table plays it."""
    state = game.initial
    while not state.is_terminal and len(state.moves) < 40:
        legal = state.legal_moves(0)
        values = table[state.bits.tobytes()]
        state = state.play(max(legal, key=lambda move: values[game.actions().index(move)]))
    return state


def main(game_name: str = "knights_tour", steps: int = 1000) -> int:
    game = ludens.Game(game_name)
    table = learn(game, steps)
    end = play(game, table)
    print(f"{game.name}: {len(table)} states in the table; greedy play takes {len(end.moves)} moves "
          f"and gets {end.goals[0]}")
    return end.goals[0]


if __name__ == "__main__":
    main(*sys.argv[1:2], *map(int, sys.argv[2:3]))
