# SPDX-License-Identifier: MIT
"""A game for one role in the form of `gymnasium.Env`. For many at once, use `ludens.VecEnv`."""
from __future__ import annotations

from typing import Any, Optional

import numpy as np

from ..environment import VecEnv
from ..game import Game
from .spaces import Discrete, MultiBinary

try:
    from gymnasium import Env as _Base
except ImportError:
    _Base = object


class SingleRoleEnv(_Base):  # type: ignore[misc, valid-type]
    """One episode at a time: `reset`, then `step` until it is terminated or truncated.

    Observations are int8 [fluents], or int8 [channels, rows, columns] with `board`. `info` has
    `action_mask`, int8 [actions], in the form that `action_space.sample(mask)` takes. Rewards are
    the goal at the end, from 0 to 1. An illegal action raises IllegalActionError.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi"]}

    def __init__(self, game: Game, *, board: bool = False, max_steps: int = 0,
                 render_mode: Optional[str] = None):
        if len(game.players) != 1:
            raise ValueError(f"{game.name} has {len(game.players)} players: use "
                             "ludens.adapters.pettingzoo")
        if render_mode not in (None, "ansi"):
            raise ValueError(f"render_mode is None or 'ansi', not '{render_mode}'")
        self.game = game
        self.render_mode = render_mode
        self._env = VecEnv(game, 1, autoreset="disabled", max_steps=max_steps,
                           observation="board:uint8" if board else "uint8")
        self.observation_space = MultiBinary(self._env.observations.shape[1:])
        self.action_space = Discrete(len(game.actions()))
        self._started = False

    def reset(self, *, seed: Optional[int] = None,
              options: Optional[dict] = None) -> tuple[np.ndarray, dict[str, Any]]:
        self._env.reset(seed)
        self._started = True
        return self._seen()

    def step(self, action: int) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        if not self._started or self._env.terminated[0] or self._env.truncated[0]:
            raise RuntimeError("no episode is under way: call reset first")
        self._env.step(np.array([[action]], np.int32))
        observation, info = self._seen()
        return (observation, float(self._env.rewards[0, 0]), bool(self._env.terminated[0]),
                bool(self._env.truncated[0]), info)

    def _seen(self) -> tuple[np.ndarray, dict[str, Any]]:
        return (self._env.observations[0].astype(np.int8),
                {"action_mask": self._env.masks[0].astype(np.int8)})

    def render(self) -> Optional[str]:
        if self.render_mode is None:
            return None
        return str(self.game.state(self._env.states()[0]))

    def close(self) -> None:
        self._env.close()
