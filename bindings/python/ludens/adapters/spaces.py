# SPDX-License-Identifier: MIT
"""Spaces of Gymnasium if it is installed, otherwise small ones with the same calls."""
from __future__ import annotations

from typing import Any, Optional

import numpy as np

try:
    from gymnasium.spaces import Dict, Discrete, MultiBinary
except ImportError:
    class Discrete:  # type: ignore[no-redef]
        """Whole numbers from 0 to n - 1."""

        def __init__(self, n: int, seed: Optional[int] = None):
            self.n, self.shape, self.dtype = n, (), np.dtype(np.int64)
            self.seed(seed)

        def seed(self, seed: Optional[int] = None) -> None:
            self._random = np.random.default_rng(seed)

        def sample(self, mask: Optional[np.ndarray] = None) -> np.int64:
            """Uniform; `mask`: int8 [n], 1 for what may come."""
            legal = np.arange(self.n) if mask is None else np.flatnonzero(mask)
            return np.int64(self._random.choice(legal) if len(legal) else 0)

        def contains(self, x: Any) -> bool:
            return np.ndim(x) == 0 and float(x).is_integer() and 0 <= int(x) < self.n

    class MultiBinary:  # type: ignore[no-redef]
        """Arrays of 0 and 1."""

        def __init__(self, n: Any, seed: Optional[int] = None):
            self.shape, self.dtype = tuple(np.atleast_1d(n)), np.dtype(np.int8)
            self.seed(seed)

        def seed(self, seed: Optional[int] = None) -> None:
            self._random = np.random.default_rng(seed)

        def sample(self) -> np.ndarray:
            return self._random.integers(0, 2, self.shape, dtype=np.int8)

        def contains(self, x: Any) -> bool:
            x = np.asarray(x)
            return x.shape == self.shape and bool(np.isin(x, (0, 1)).all())

    class Dict:  # type: ignore[no-redef]
        """Dicts with the keys of `spaces`, each with a value of its space."""

        def __init__(self, spaces: dict[str, Any], seed: Optional[int] = None):
            self.spaces = dict(spaces)
            self.seed(seed)

        def __getitem__(self, key: str) -> Any:
            return self.spaces[key]

        def seed(self, seed: Optional[int] = None) -> None:
            for space in self.spaces.values():
                space.seed(seed)

        def sample(self) -> dict[str, Any]:
            return {key: space.sample() for key, space in self.spaces.items()}

        def contains(self, x: Any) -> bool:
            return isinstance(x, dict) and x.keys() == self.spaces.keys() and all(
                space.contains(x[key]) for key, space in self.spaces.items())

__all__ = ["Dict", "Discrete", "MultiBinary"]
