# SPDX-License-Identifier: MIT
"""A game for one role in the form of `gymnasium.Env`. For many at once, use `ludens.VecEnv`."""
from __future__ import annotations

from typing import Any, Optional

import numpy as np

from ..game import Game
from .episode import Episode
from .spaces import Discrete, MultiBinary

try:
    from gymnasium import Env as _Base
except ImportError:
    _Base = object


class SingleRoleEnv(Episode, _Base):  # type: ignore[misc, valid-type]
    """One episode at a time: `reset`, then `step` until it is terminated or truncated.

    Observations are int8 [fluents], or int8 [channels, rows, columns] with `board`. `info` has
    `action_mask`, int8 [actions], in the form that `action_space.sample(mask)` takes. Rewards are
    the goal at the end, from 0 to 1. An action that the mask does not allow ends the episode with
    reward -1, since Gymnasium wants any action of the space to be taken; with `illegal="raise"` it
    raises IllegalActionError. What is no action of the space raises that, too, and what is no whole
    number TypeError.
    """

    def __init__(self, game: Game, *, board: bool = False, max_steps: int = 0,
                 render_mode: Optional[str] = None, illegal: str = "end"):
        if len(game.players) != 1:
            raise ValueError(f"{game.name} has {len(game.players)} players: use "
                             "ludens.adapters.pettingzoo")
        self._open(game, board, max_steps, render_mode, illegal)
        self.observation_space = MultiBinary(self._env.observations.shape[1:])
        self.action_space = Discrete(len(game.actions()))
        self._started = False

    def reset(self, *, seed: Optional[int] = None,
              options: Optional[dict] = None) -> tuple[np.ndarray, dict[str, Any]]:
        if _Base is not object:
            super().reset(seed=seed)  # seeds `np_random`
        self._reset(seed)
        self._started = True
        return self._observed(), {"action_mask": self._mask(0)}

    def step(self, action: int) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        if not self._started or self._over or self._cut:
            raise RuntimeError("no episode is under way: call reset first")
        chosen = self._legal(0, action)
        if not self._offenders:
            self._env.step(np.array([[chosen]], np.int32))
        return (self._observed(), self._reward(0), self._over, self._cut,
                {"action_mask": self._mask(0)})
