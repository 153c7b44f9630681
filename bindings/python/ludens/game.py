# SPDX-License-Identifier: MIT
"""Games and states."""
from __future__ import annotations

import dataclasses
import math
import os
import pathlib
from typing import TYPE_CHECKING, Callable, Optional, Sequence, Union

import numpy as np

from . import _core
from .picture import draw_svg

Role = Union[str, int]


def bundled_games() -> list[str]:
    """Names of the bundled games, sorted."""
    folder = pathlib.Path(os.environ.get("LUDENS_CONFIG") or "config") / "games"
    return sorted(file.stem for ending in ("kif", "hrf") for file in folder.glob(f"*.{ending}"))


@dataclasses.dataclass(frozen=True)
class Board:
    """The board that was found in the rules, as environments write it: [channels, rows, columns].

    A channel is a thing that can lie on a square; an empty square has 0 in all channels.
    """

    channels: tuple[str, ...]
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    others: tuple[int, ...]  # numbers of the fluents that are not on the board

    @property
    def shape(self) -> tuple[int, int, int]:
        return len(self.channels), len(self.rows), len(self.columns)


class Game:
    """A game, from its rules. Immutable; states, searches and environments share it.

    `game` is the name of a bundled game or a path to a rulesheet (`.kif`, `.hrf`). `machine` says
    what evaluates the rules: `auto`, `interpreter`, `scalar` or `sliced`. `memory_mb` is the limit
    for all that the game and its environments hold. Raises GameError, a line for each error of the
    rules with its position.
    """

    def __init__(self, game: Union[str, os.PathLike[str]], *, machine: str = "auto",
                 memory_mb: int = 2048):
        self._set(_core.GameCore.open(os.fspath(game), machine, memory_mb << 20))

    @classmethod
    def from_text(cls, text: str, *, name: str = "rules", machine: str = "auto",
                  memory_mb: int = 2048) -> Game:
        """A game from the text of its rules; messages contain `name`."""
        return cls._of(_core.GameCore.from_text(text, name, machine, memory_mb << 20))

    @classmethod
    def _of(cls, core: _core.GameCore) -> Game:
        game = cls.__new__(cls)
        game._set(core)
        return game

    def _set(self, core: _core.GameCore) -> None:
        self._core = core
        self.name: str = core.name
        self.roles: tuple[str, ...] = tuple(core.roles)
        self._spaces: Optional[dict] = None
        self._told: Optional[Game] = None
        self._squares: Optional[np.ndarray] = None  # [channel, row, column]: number of the fluent

    @property
    def _complete(self) -> Game:
        """This game on the machine that keeps all facts, also those that nothing depends on."""
        if self.machine == "interpreter":
            return self
        if self._told is None:
            self._told = Game.from_text(self.text, name=self.name, machine="interpreter")
        return self._told

    @property
    def text(self) -> str:
        """The rulesheet."""
        return self._core.text

    @property
    def machine(self) -> str:
        """What evaluates the rules."""
        return self._core.machine

    @property
    def random_role(self) -> Optional[int]:
        """The index of the role `random`, which moves by chance."""
        return self._core.random_role

    @property
    def diagnostics(self) -> list[str]:
        """Warnings and notes about the rules, `FILE:LINE:COLUMN: warning: TEXT`."""
        return self._core.diagnostics

    @property
    def initial(self) -> State:
        """The initial state."""
        return self._state(_core.initial_state(self._core))

    def state(self, bits: np.ndarray) -> State:
        """The state of a row of bits, as `State.bits` and environments give it: uint64 [words]."""
        return self._state(_core.state_of_bits(self._core, bits))

    def _state(self, new: _core.NewState) -> State:
        return new.of(State, self)

    # --- what numbers mean in environments

    def _space(self, key: str):
        if self._spaces is None:
            self._spaces = self._core.spaces()
        return self._spaces[key]

    @property
    def players(self) -> tuple[str, ...]:
        """The roles that choose actions: all but `random`."""
        return tuple(self._space("players"))

    @property
    def fluents(self) -> list[str]:
        """Facts that can hold, by number: the columns of observations."""
        return self._space("fluents")

    def _unpacked(self, states: np.ndarray) -> np.ndarray:
        """Rows of bits as bool [n, fluents]."""
        size = len(self.fluents)
        rows = np.unpackbits(states.view(np.uint8), axis=1, bitorder="little", count=size)
        return rows.view(np.bool_)

    def actions(self, player: int = 0) -> list[str]:
        """Moves of a player, by number: what `VecEnv.step` takes."""
        return self._space("actions")[player]

    @property
    def hash(self) -> int:
        """64 bits over players, actions and fluents: what was learned for one hash fits every game
        with the same. FNV-1a over the lines `player NAME`, `action NAME`, `fluent NAME`."""
        return self._space("hash")

    @property
    def board(self) -> Optional[Board]:
        """The board of environments; None where none was found."""
        found = self._core.board()
        return None if found is None else Board(*(tuple(found[key]) for key in
                                                  ("channels", "rows", "columns", "others")))

    def boards(self, states: np.ndarray) -> np.ndarray:
        """The boards of states, uint64 [n, words], as environments write them with `board:uint8`:
        uint8 [n, channels, rows, columns]. ValueError where no board was found in the rules."""
        if self._squares is None:
            found = self._core.board()
            if found is None:
                raise ValueError("no board was found in the rules of this game")
            shape = tuple(len(found[key]) for key in ("channels", "rows", "columns"))
            # Places without a fluent refer to a column after the last one, which is always 0.
            numbers = np.minimum(np.array(found["fluents"], np.int64), len(self.fluents))
            self._squares = numbers.reshape(shape)
        held = np.zeros((len(states), len(self.fluents) + 1), np.uint8)
        held[:, :-1] = self._unpacked(states)
        return held[:, self._squares]

    def __repr__(self) -> str:
        return f"<ludens.Game {self.name}: {', '.join(self.roles)}>"


@dataclasses.dataclass(frozen=True)
class KnownTurn:
    """What a role knows of one turn of a game of hidden information."""

    move: str                  # its own
    percepts: tuple[str, ...]  # sorted by name


class State(_core.StateBase):
    """A state of a game, and the joint moves that led to it. Immutable and hashable.

    Two states are equal if the same facts hold. `print` shows the board, and so does Jupyter. States
    come from `Game.initial`, `Game.state` and `play`.
    """

    __slots__ = ()

    if TYPE_CHECKING:  # of the compiled type
        game: Game
        is_terminal: bool

        def play(self, *moves: Union[str, Sequence[str]]) -> State: ...

    def legal_moves(self, role: Optional[Role] = None) -> list:
        """The legal moves of a role, by name or index. Without a role: a list for each role.

        Empty at the end. A role that waits has one move.
        """
        return self._legal(role)

    @property
    def to_move(self) -> list[int]:
        """Indices of the roles that have a choice here."""
        return [r for r, moves in enumerate(self.legal_moves()) if len(moves) > 1]

    @property
    def goals(self) -> tuple[int, ...]:
        """Goals of all roles, 0 to 100. Before the end, what the rules say, or 0."""
        return _core.goals_of(self)

    @property
    def facts(self) -> str:
        """All facts that hold, as hosts write them: `( ( cell 1 1 b ) ( control x ) )`.

        Facts that nothing depends on are only kept with `machine="interpreter"`.
        """
        return _core.text_of(self)

    @property
    def moves(self) -> list[tuple[str, ...]]:
        """The joint moves since the initial state."""
        names, roles = _core.history_of(self), len(self.game.roles)
        return [tuple(names[i:i + roles]) for i in range(0, len(names), roles)]

    def knowledge(self, role: Role) -> Optional[list[KnownTurn]]:
        """What a role knows in a game of hidden information: a turn for each joint move since
        `game.initial`. None where the rules hide nothing (they have no `sees`)."""
        turns = _core.knowledge_of(self, self.game._core.role(role))
        return None if turns is None else [KnownTurn(*turn) for turn in turns]

    def believed(self, role: Role) -> State:
        """The likeliest state that fits what a role knows, where all roles choose by chance; this
        one where the rules hide nothing. It may take long; Ctrl-C ends it."""
        found = self._believed(role, math.inf)
        assert found is not None
        return found

    def _believed(self, role: Role, seconds: float,
                  stopped: Optional[Callable[[], bool]] = None) -> Optional[State]:
        """None if it is not found in a quarter of the time, or before `stopped()` is true."""
        new = _core.believed_of(self, self.game._core.role(role), seconds, stopped)
        return None if new is None else self.game._state(new)

    @property
    def bits(self) -> np.ndarray:
        """The state as environments have it: uint64 [words], bit i of word w is fluent 64 w + i."""
        return _core.bits_of(self)

    @property
    def observation(self) -> np.ndarray:
        """Which fluents hold: bool [fluents], as environments observe."""
        return self.game._unpacked(self.bits[None])[0]

    def playouts(self, count: int, seed: int = 1) -> np.ndarray:
        """Mean goals of all roles over random games from here to the end: float64 [roles]."""
        return _core.playouts_of(self, count, seed)[0]

    def __str__(self) -> str:
        return _core.drawing_of(self)

    def __repr__(self) -> str:
        end = ", over" if self.is_terminal else ""
        return f"<ludens.State of {self.game.name} after {len(self.moves)} moves{end}>"

    def _repr_svg_(self) -> Optional[str]:
        picture = _core.picture_of(self)
        return None if picture is None else draw_svg(picture)
