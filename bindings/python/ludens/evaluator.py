# SPDX-License-Identifier: MIT
"""Evaluators written in Python: what they are asked by the engine's tree search."""
from __future__ import annotations

import dataclasses
import queue
import threading
from typing import Callable, Optional, Protocol

import numpy as np

from . import _core
from .game import Game


@dataclasses.dataclass(frozen=True)
class Leaves:
    """A batch of states that a search wants to know of. None is the end of the game."""

    game: Game
    states: np.ndarray  # uint64 [n, words], as `State.bits`
    masks: np.ndarray   # bool [n, actions]: the legal actions, those of player 0 first

    def __len__(self) -> int:
        return len(self.states)

    @property
    def observations(self) -> np.ndarray:
        """Which fluents hold: bool [n, fluents], as environments observe."""
        return self.game._unpacked(self.states)

    @property
    def boards(self) -> np.ndarray:
        """The board found in the rules: uint8 [n, channels, rows, columns], as `Game.boards`."""
        return self.game.boards(self.states)


class Evaluator(Protocol):
    """Evaluates states for the search of a `Player`: a network, for example.

    `values`: float [n, players], the goals that players may expect, from 0 to 1. `priors`: float
    [n, actions], 0 or more; those of illegal actions are ignored, those of each player
    count in proportion. None: all legal actions are alike.
    """

    def evaluate(self, leaves: Leaves) -> tuple[np.ndarray, Optional[np.ndarray]]: ...


def _checked(evaluator: Evaluator) -> Callable:
    """`evaluate` with plain arrays, and what comes back checked."""
    evaluate = getattr(evaluator, "evaluate", evaluator)
    if not callable(evaluate):
        raise TypeError("an evaluator has evaluate(leaves) -> (values, priors)")
    games: list[Game] = []

    def checked(core: _core.GameCore, states: np.ndarray,
                masks: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        if not games or games[0]._core is not core:
            games[:] = [Game._of(core)]
        game = games[0]
        found = evaluate(Leaves(game, states, masks))
        if not isinstance(found, tuple) or len(found) != 2:
            raise TypeError("evaluate returns a tuple: (values, priors), or (values, None)")
        n, players = len(states), len(game.players)
        values = _floats("values", found[0], (n, players))
        if not (np.isfinite(values).all() and (values >= 0).all() and (values <= 1).all()):
            raise ValueError("values are goals from 0 to 1")
        if found[1] is None:
            return values, np.ones(masks.shape, np.float32)
        priors = np.where(masks, _floats("priors", found[1], masks.shape), np.float32(0))
        if not (np.isfinite(priors).all() and (priors >= 0).all()):
            raise ValueError("priors of legal actions are numbers from 0 on")
        return values, priors

    return checked


def _floats(name: str, given: object, shape: tuple[int, ...]) -> np.ndarray:
    array = np.ascontiguousarray(given, np.float32)
    if array.shape != shape:
        raise ValueError(f"{name} has shape {array.shape} and must have {shape}")
    return array


class _Batches:
    """The thread that calls an evaluator; no caller has to wait for it."""

    def __init__(self, evaluate: Callable):
        self._evaluate = evaluate
        self._waiting: queue.SimpleQueue = queue.SimpleQueue()
        threading.Thread(target=self._work, name="ludens-evaluator", daemon=True).start()

    def put(self, batch: Optional[tuple]) -> None:
        """Game, states, masks and where the answer goes; None is the end."""
        self._waiting.put(batch)

    def _work(self) -> None:
        while True:
            batch = self._waiting.get()
            if batch is None:
                return
            *question, evaluation = batch
            try:
                evaluation.finish(*self._evaluate(*question))
            except BaseException as error:  # whatever it is ends the search, which raises it
                evaluation.fail(error)
            del batch, question, evaluation


def batches_of(evaluator: Evaluator) -> Callable[[], _Batches]:
    """What the compiled module gives its batches to; one for each player."""
    evaluate = _checked(evaluator)
    return lambda: _Batches(evaluate)
