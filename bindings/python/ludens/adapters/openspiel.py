# SPDX-License-Identifier: MIT
"""A game in the form of `pyspiel.Game` and `pyspiel.State`, for algorithms of OpenSpiel that are
written in Python. The package itself is not needed."""
from __future__ import annotations

import functools
import types
from typing import Optional, Union

from .. import game as games
from ..environment import VecEnv

CHANCE, SIMULTANEOUS, TERMINAL = -1, -2, -4  # as `pyspiel.PlayerId`
_MOST_FORCED = 100_000  # steps in a row in which no player has a choice
_MATCHES, _STEPS = 64, 200  # random ones that show whether players choose at once


class Game:
    """A game of Ludens in the form of OpenSpiel. Players are its roles except `random`.

    Actions are numbers by `game.actions(player)`; a role that waits has no action here, and a step
    in which no player has a choice is made at once. Utilities are goals from 0 to 100 as -1.0 to 1.0.
    The outcomes of a chance node are the moves of `random` by their index among the legal ones.
    Where the rules hide something (they have `sees`), information states are what roles know, and
    there are no observations: these show the whole state.
    `max_length` is what `max_game_length` says: rules name no bound.
    """

    def __init__(self, game: Union[games.Game, str], *, max_length: int = 1000):
        self.game = game if isinstance(game, games.Game) else games.Game(game)
        self._max_length = max_length
        self._observer: Optional[VecEnv] = None
        players = self.game.players
        self.roles = [self.game.roles.index(name) for name in players]
        self.hides = self.game.initial.knowledge(0) is not None
        self.numbers = [{name: n for n, name in enumerate(self.game.actions(p))}
                        for p in range(len(players))]

    def new_initial_state(self) -> State:
        return State(self, self.game.initial, [])

    def num_players(self) -> int:
        return len(self.roles)

    def num_distinct_actions(self) -> int:
        return max(len(numbers) for numbers in self.numbers)

    def policy_tensor_shape(self) -> list[int]:
        return [self.num_distinct_actions()]

    def min_utility(self) -> float:
        return -1.0

    def max_utility(self) -> float:
        return 1.0

    def utility_sum(self) -> Optional[float]:
        """Rules don't say whether goals add up to the same in all ends."""
        return None

    def max_game_length(self) -> int:
        return self._max_length

    def observation_tensor_shape(self) -> list[int]:
        """The shape of the board that was found in the rules, otherwise [fluents]."""
        board = self.game.board
        return [len(self.game.fluents)] if board is None else list(board.shape)

    def observation_tensor_size(self) -> int:
        size = 1
        for length in self.observation_tensor_shape():
            size *= length
        return size

    def observe(self, state: games.State) -> list[float]:
        """`State.observation_tensor` of a state."""
        self.expect_open()
        if self._observer is None:
            form = "float32" if self.game.board is None else "board:float32"
            self._observer = VecEnv(self.game, 1, autoreset="disabled", observation=form)
        self._observer.set_states(state.bits.reshape(1, -1))
        return self._observer.observations.ravel().tolist()

    def expect_open(self) -> None:
        """ValueError where the whole state is not for players."""
        if self.hides:
            raise ValueError(f"{self.game.name} hides information, and an observation shows all: "
                             "use information_state_string")

    @functools.cached_property
    def _dynamics(self) -> str:
        """SIMULTANEOUS if several players choose at once somewhere in some random matches. Rules
        don't say it."""
        with VecEnv(self.game, _MATCHES, seed=1) as env:
            for _ in range(_STEPS):
                choosing = sum((env.mask_of(player).sum(axis=1) > 1).astype(int)
                               for player in range(self.num_players()))
                if (choosing > 1).any():
                    return "SIMULTANEOUS"
                env.roll(1)
        return "SEQUENTIAL"

    def get_parameters(self) -> dict:
        return {}

    def get_type(self) -> types.SimpleNamespace:
        """The content of OpenSpiel's `GameType`, with names in place of its enumerations."""
        chance = self.game.random_role is not None
        return types.SimpleNamespace(
            short_name=self.game.name, long_name=self.game.name, dynamics=self._dynamics,
            chance_mode="EXPLICIT_STOCHASTIC" if chance else "DETERMINISTIC",
            information="IMPERFECT_INFORMATION" if self.hides else "PERFECT_INFORMATION",
            reward_model="TERMINAL", utility="GENERAL_SUM",
            min_num_players=self.num_players(), max_num_players=self.num_players(),
            provides_information_state_string=True, provides_information_state_tensor=False,
            provides_observation_string=not self.hides,
            provides_observation_tensor=not self.hides)

    def deserialize_state(self, text: str) -> State:
        state = self.new_initial_state()
        for action in text.split():
            state._take(int(action))
        return state

    def __str__(self) -> str:
        return f"{self.game.name}()"


class State:
    """A state that actions change, as `pyspiel.State`. `clone` and `child` make others."""

    def __init__(self, game: Game, state: games.State, history: list[int]):
        self._game = game
        self._history = history
        self._enter(state)

    # --- whose turn it is

    def _enter(self, state: games.State) -> None:
        """Goes on to the next state in which somebody has a choice."""
        for _ in range(_MOST_FORCED):
            self.state = state
            self._legal = state.legal_moves()
            if state.is_terminal or any(len(moves) > 1 for moves in self._legal):
                break
            state = state.play([moves[0] for moves in self._legal])
        else:
            raise RuntimeError(f"nobody had a choice in {_MOST_FORCED} steps")
        self._chosen = {role: moves[0] for role, moves in enumerate(self._legal)
                        if len(moves) == 1}

    def _choosing(self) -> list[int]:
        """Players that have a choice which they have not made."""
        return [player for player, role in enumerate(self._game.roles)
                if role not in self._chosen and self._legal[role]]

    def current_player(self) -> int:
        if self.is_terminal():
            return TERMINAL
        choosing = self._choosing()
        if not choosing:
            return CHANCE
        at_once = sum(len(self._legal[role]) > 1 for role in self._game.roles) > 1
        return SIMULTANEOUS if at_once else choosing[0]

    def is_terminal(self) -> bool:
        return self.state.is_terminal

    def is_chance_node(self) -> bool:
        return self.current_player() == CHANCE

    def is_simultaneous_node(self) -> bool:
        return self.current_player() == SIMULTANEOUS

    def is_player_node(self) -> bool:
        return self.current_player() >= 0

    # --- actions

    def legal_actions(self, player: Optional[int] = None) -> list[int]:
        """Ascending. Of the player whose turn it is, if none is named."""
        turn = self.current_player()
        player = turn if player is None else player
        if turn == CHANCE and player == CHANCE:
            return list(range(len(self._legal[self._game.game.random_role])))
        if player == SIMULTANEOUS:
            raise ValueError("several players choose here: name one")
        if player not in self._choosing():
            return []
        numbers = self._game.numbers[player]
        return sorted(numbers[move] for move in self._legal[self._game.roles[player]])

    def legal_actions_mask(self, player: Optional[int] = None) -> list[int]:
        """1 for what is legal: [num_distinct_actions]. For chance, 1 for each outcome."""
        legal = self.legal_actions(player)
        if self.is_chance_node() and player in (None, CHANCE):
            return [1] * len(legal)
        mask = [0] * self._game.num_distinct_actions()
        for action in legal:
            mask[action] = 1
        return mask

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The moves of `random` and their probabilities, which are all the same."""
        if not self.is_chance_node():
            raise ValueError("this is not a chance node")
        actions = self.legal_actions()
        return [(action, 1.0 / len(actions)) for action in actions]

    def apply_action(self, action: int) -> None:
        player = self.current_player()
        if player in (SIMULTANEOUS, TERMINAL):
            raise ValueError("the game is over" if player == TERMINAL else
                             "several players choose here: use apply_actions")
        self._take(action)

    def apply_actions(self, actions: list[int]) -> None:
        """An action of each player; those of players without a choice are ignored."""
        if not self.is_simultaneous_node():
            raise ValueError("one player chooses here: use apply_action")
        choosing = self._choosing()
        for player in choosing:
            self._check(player, actions[player])
        for player in choosing:
            self._take(actions[player])

    def _check(self, player: int, action: int) -> None:
        if action not in self.legal_actions(player):
            raise ValueError(f"action {action} of player {player} is not legal here; "
                             f"legal_actions({player}) tells which are")

    def _take(self, action: int) -> None:
        """The choice of the next that has one."""
        choosing = self._choosing()
        if self.is_terminal():
            raise ValueError("the game is over")
        player = choosing[0] if choosing else CHANCE
        self._check(player, action)
        role = self._game.roles[player] if choosing else self._game.game.random_role
        self._chosen[role] = (self._game.game.actions(player)[action] if choosing
                              else self._legal[role][action])
        self._history.append(action)
        if len(self._chosen) == len(self._legal):
            self._enter(self.state.play([self._chosen[r] for r in range(len(self._legal))]))

    def child(self, action: int) -> State:
        after = self.clone()
        after.apply_action(action)
        return after

    def clone(self) -> State:
        other = State.__new__(State)
        other._game, other._history = self._game, list(self._history)
        other.state, other._legal, other._chosen = self.state, self._legal, dict(self._chosen)
        return other

    def action_to_string(self, player: int, action: Optional[int] = None) -> str:
        """The move of an action; of the player whose turn it is, if the first is left out."""
        if action is None:
            player, action = self.current_player(), player
        if player == CHANCE:
            return self._legal[self._game.game.random_role][action]
        return self._game.game.actions(player)[action]

    def string_to_action(self, player: int, text: str) -> int:
        return self._game.numbers[player][text]

    # --- what is seen

    def returns(self) -> list[float]:
        """-1.0 to 1.0 at the end, 0.0 before it."""
        if not self.is_terminal():
            return [0.0] * self.num_players()
        goals = self.state.goals
        return [goals[role] / 50 - 1 for role in self._game.roles]

    rewards = returns  # there are none before the end

    def player_return(self, player: int) -> float:
        return self.returns()[player]

    player_reward = player_return

    def history(self) -> list[int]:
        return list(self._history)

    def full_history(self) -> list[int]:
        return self.history()

    def history_str(self) -> str:
        return ", ".join(map(str, self._history))

    def move_number(self) -> int:
        return len(self._history)

    def information_state_string(self, player: Optional[int] = None) -> str:
        """All actions so far; where the rules hide something, a line for each turn: the player's
        own move and what it perceived. Of the player whose turn it is, if none is named."""
        player = self.current_player() if player is None else player
        if not 0 <= player < self.num_players():
            raise ValueError(f"{player} is no player: name one from 0 to {self.num_players() - 1}")
        turns = self.state.knowledge(self._game.roles[player])
        if turns is None:
            return self.history_str()
        return "\n".join(" ".join((turn.move, *turn.percepts)) for turn in turns)

    def observation_string(self, player: Optional[int] = None) -> str:
        self._game.expect_open()
        return str(self.state)

    def observation_tensor(self, player: Optional[int] = None) -> list[float]:
        """The board, or all fluents: floats of 0.0 and 1.0, row by row, the same for all players."""
        return self._game.observe(self.state)

    def serialize(self) -> str:
        return "\n".join(map(str, self._history))

    def num_players(self) -> int:
        return self._game.num_players()

    def num_distinct_actions(self) -> int:
        return self._game.num_distinct_actions()

    def get_game(self) -> Game:
        return self._game

    def __str__(self) -> str:
        return str(self.state)
