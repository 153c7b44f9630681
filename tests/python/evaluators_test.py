# SPDX-License-Identifier: MIT
"""Evaluators that are written in Python, in searches and matches."""
import gc
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
import unittest

import numpy as np

import ludens

from players import PATIENCE, Centre, lines_of, pigeons


class Evaluators(unittest.TestCase):
    def setUp(self):
        self.game = ludens.Game("connect_four")

    def choose(self, evaluator, state=None, strategy="value:nodes=300,leaves=16,seed=1", **options):
        player = ludens.Player(strategy, evaluator=evaluator, **options)
        return player.choose(state or self.game.initial, seconds=PATIENCE)

    def test_batches_and_priors(self):
        for action in (1, 4):
            centre = Centre(action)
            choice = self.choose(centre)
            self.assertEqual(choice.move, self.game.actions(0)[action])
            # A batch has 16 leaves, without those whose positions the tree has already.
            self.assertGreater(max(centre.sizes), 12)
            self.assertLessEqual(max(centre.sizes), 16)
            self.assertGreater(sum(centre.sizes), 250)
            self.assertLess(sum(centre.sizes), 320)

    def test_leaves_are_states_of_the_game(self):
        seen = []

        def evaluate(leaves):
            states = [leaves.game.state(row) for row in leaves.states]
            for state, observed, mask in zip(states, leaves.observations, leaves.masks):
                self.assertFalse(state.is_terminal)
                self.assertEqual([name for name, holds in zip(leaves.game.fluents, observed) if holds],
                                 [name for name in leaves.game.fluents if name in state.facts])
                names = [a for p in range(2) for a in leaves.game.actions(p)]
                legal = [name for name, is_legal in zip(names, mask) if is_legal]
                self.assertEqual(legal, [m for moves in state.legal_moves()
                                         for m in sorted(moves, key=names.index)])
            seen.extend(states)
            return np.full((len(leaves), 2), 0.5), None

        self.choose(evaluate)
        self.assertIn(self.game.initial, seen)
        self.assertIn(self.game.initial.play("( drop 1 )"), seen)

    def test_values_count(self):
        # A stone in column 3 is all that matters to the one, and bad for the other.
        fluents = [i for i, name in enumerate(self.game.fluents) if "cell 3 1 red" in name]
        self.assertTrue(fluents)

        def evaluate(leaves):
            first = np.where(leaves.observations[:, fluents].any(axis=1), 0.9, 0.2)
            return np.stack([first, 1 - first], axis=1), None

        self.assertEqual(self.choose(evaluate).move, "( drop 3 )")

    def test_several_threads_and_moves(self):
        player = ludens.Player("value:nodes=400,leaves=8", evaluator=Centre(2), threads=2)
        state = self.game.initial
        for _ in range(4):
            state = state.play(player.choose(state, seconds=PATIENCE).move)
        self.assertEqual(len(state.moves), 4)

    def test_games_for_one_with_chance_and_at_once(self):
        for name in ("knights_tour", "pig", "rock_paper_scissors"):
            game = ludens.Game(name)
            player = ludens.Player("value:nodes=100", evaluator=Centre(0))
            choice = player.choose(game.initial, game.players[0], PATIENCE)
            self.assertIn(choice.move, game.initial.legal_moves(game.players[0]))

    def test_what_is_raised_and_given_wrongly(self):
        def raises(leaves):
            raise ZeroDivisionError("no network")

        n = self.game.actions(0)
        for evaluate, error, words in [
                (raises, ZeroDivisionError, "no network"),
                (lambda leaves: np.zeros(3), TypeError, "returns a tuple"),
                (lambda leaves: (np.zeros(3), None), ValueError, "shape"),
                (lambda leaves: (np.full((len(leaves), 2), 1.5), None), ValueError, "0 to 1"),
                (lambda leaves: (np.full((len(leaves), 2), np.nan), None), ValueError, "0 to 1"),
                (lambda leaves: (np.zeros((len(leaves), 2)), -np.ones(leaves.masks.shape)),
                 ValueError, "from 0 on"),
                (lambda leaves: (np.zeros((len(leaves), 2)), np.ones((1, len(n)))), ValueError,
                 "shape")]:
            for threads in (1, 2):
                with self.subTest(words), self.assertRaisesRegex(error, words):
                    self.choose(evaluate, threads=threads)
        with self.assertRaisesRegex(ValueError, "'value'"):
            ludens.Player("mcts", evaluator=Centre(0))
        with self.assertRaisesRegex(TypeError, "evaluate"):
            ludens.Player("value", evaluator=object())

    def test_a_player_that_was_not_made_is_not_ended(self):
        lines_of(textwrap.dedent("""
            import ludens
            try:
                ludens.Player("nonsense")
            except ValueError as error:
                kept = error  # and with it the player, until Python ends
        """))

    def test_a_player_goes_on_after_a_failure(self):
        broken_now = [True]

        def evaluate(leaves):
            if broken_now[0]:
                raise RuntimeError("not yet")
            return np.full((len(leaves), 2), 0.5), None

        player = ludens.Player("value:nodes=50", evaluator=evaluate)
        with self.assertRaisesRegex(RuntimeError, "not yet"):
            player.choose(self.game.initial, seconds=PATIENCE)
        broken_now[0] = False
        self.assertIn(player.choose(self.game.initial, seconds=PATIENCE).move,
                      self.game.initial.legal_moves(0))

    @unittest.skipUnless(hasattr(os, "fork"), "no fork here")
    def test_fork(self):
        player = ludens.Player("value:nodes=20", evaluator=Centre(0))
        legal = self.game.initial.legal_moves(0)
        self.assertIn(player.choose(self.game.initial, seconds=PATIENCE).move, legal)
        child = os.fork()
        if child == 0:
            try:
                found = player.choose(self.game.initial, seconds=PATIENCE)
                del player
                gc.collect()
                os._exit(0 if found.move in legal and found.nodes > 0 else 2)
            finally:
                os._exit(1)
        self.assertEqual(os.waitpid(child, 0)[1], 0)
        self.assertIn(player.choose(self.game.initial, seconds=PATIENCE).move, legal)

    def test_in_a_match(self):
        def raises(leaves):
            raise RuntimeError("no network")

        game = ludens.Game("tic_tac_toe")
        good = ludens.Player("value:nodes=50", evaluator=Centre(0))
        record = ludens.Match(game, [good, "random:seed=1"], play_clock=PATIENCE).play()
        self.assertEqual(record.disagreements(game), [])
        self.assertEqual(record.players[0], "Centre value:nodes=50")
        bad = ludens.Player("value:nodes=50", evaluator=raises)
        match = ludens.Match(game, [bad, "legal"], play_clock=PATIENCE)
        match.step()
        self.assertEqual(match.faults, [(1, 0, "CE")])

    def test_stop_from_another_thread(self):
        under_way = threading.Event()

        def evaluate(leaves):
            under_way.set()
            return np.full((len(leaves), 2), 0.5), None

        player = ludens.Player("value", evaluator=evaluate)
        stopper = threading.Thread(target=lambda: (under_way.wait(), player.stop()))
        stopper.start()
        begin = time.monotonic()
        self.assertTrue(player.choose(ludens.Game("chess").initial, seconds=600).move)
        self.assertLess(time.monotonic() - begin, 300)
        stopper.join()

    def test_a_search_ends_in_time_although_the_game_is_not_ready(self):
        game = ludens.Game.from_text(pigeons(), machine="interpreter")
        centre = Centre(0)
        player = ludens.Player("value", evaluator=centre)
        for _ in range(2):
            self.assertIn(player.choose(game.initial, seconds=0.1).move, ("go", "stay"))
        self.assertEqual(centre.sizes, [])

    def test_control_c_ends_a_search_that_evaluates(self):
        program = textwrap.dedent("""
            import numpy as np, ludens
            def evaluate(leaves):
                print("under way", flush=True)
                return np.full((len(leaves), 2), 0.5), None
            game = ludens.Game("chess")
            try:
                ludens.Player("value", evaluator=evaluate).choose(game.initial, seconds=600)
            except KeyboardInterrupt:
                print("interrupted")
        """)
        with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True,
                              env=os.environ) as process:
            self.assertEqual(process.stdout.readline(), "under way\n")
            process.send_signal(signal.SIGINT)
            out, _ = process.communicate(timeout=PATIENCE)
        self.assertEqual(out.splitlines()[-1], "interrupted")
        self.assertEqual(process.returncode, 0)


if __name__ == "__main__":
    unittest.main()
