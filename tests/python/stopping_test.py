# SPDX-License-Identifier: MIT
"""Matches that are stopped while a player thinks, or a state is looked for."""
import threading
import time
import unittest

import ludens

from players import COINS, PATIENCE, many_coins


class Stopping(unittest.TestCase):
    """Matches that are broken off in a step that would last ten minutes."""

    def play(self, players, game=None):
        """A match, and the thread on which it is played; `self.left` gets the number of steps made
        by its end."""
        match = ludens.Match(game or ludens.Game("rock_paper_scissors"), players, play_clock=600)
        self.left = []

        def play():
            try:
                match.play()
            except ludens.match.Stopped:
                self.left.append(len(match.state.moves))

        return match, threading.Thread(target=play, daemon=True)

    def expect_left(self, playing, steps=0):
        playing.join(PATIENCE)
        self.assertEqual(self.left, [steps])

    def test_in_a_search(self):
        players = [ludens.Player("mcts"), ludens.Player("mcts")]
        match, playing = self.play(players)
        playing.start()
        while playing.is_alive() and not players[0]._core.thinking:
            time.sleep(0.001)
        match.stop()
        self.expect_left(playing)

    def test_just_before_a_search(self):
        class Late(ludens.Player):
            def _choose(self, *position):
                match.stop()
                return super()._choose(*position)

        match, playing = self.play([Late("mcts"), "mcts"])
        playing.start()
        self.expect_left(playing)

    def test_in_a_call_that_hangs(self):
        begun, back = threading.Event(), threading.Event()

        def stuck(position, deadline):
            begun.set()
            back.wait()

        match, playing = self.play([stuck, "mcts"])
        playing.start()
        self.assertTrue(begun.wait(PATIENCE))
        match.stop()
        self.expect_left(playing)
        back.set()

    def test_by_a_player(self):
        def leaves(position, deadline):
            match.stop()
            return position.legal_moves[0]

        match, playing = self.play([leaves, "mcts"])
        playing.start()
        self.expect_left(playing)

    def test_while_what_a_role_knows_is_looked_for(self):
        player = ludens.Player("mcts")
        match, playing = self.play([player], many_coins())
        playing.start()
        while playing.is_alive() and not player._core.thinking:
            time.sleep(0.001)
        match.stop()
        self.expect_left(playing, COINS)

    def test_while_what_a_player_in_python_knows_is_looked_for(self):
        match, playing = self.play([lambda position, deadline: position.legal_moves[0]],
                                   many_coins())
        playing.start()
        while playing.is_alive() and len(match.state.moves) < COINS:
            time.sleep(0.001)
        match.stop()
        self.expect_left(playing, COINS)


if __name__ == "__main__":
    unittest.main()
