# SPDX-License-Identifier: MIT
"""Environments in Python: what is seen, forms of rows, slots, and every kind of bad input."""
import os
import subprocess
import sys
import threading
import unittest

import numpy as np

import ludens


class Environments(unittest.TestCase):
    def test_tells_what_states_tell(self):
        for name in ("tic_tac_toe", "connect_four", "bidding_tic_tac_toe", "eight_puzzle", "three_player"):
            with self.subTest(name):
                game = ludens.Game(name)
                env = ludens.VecEnv(game, 7, autoreset="disabled", keep_final=True)
                states = [game.initial] * 7
                players = [game.roles.index(p) for p in game.players]
                for _ in range(12):
                    actions = env.sample()
                    over = np.array([s.is_terminal for s in states])
                    self.assertTrue(((actions == -1).all(axis=1) == over).all())
                    for slot, state in enumerate(states):
                        held = {game.fluents[i] for i in np.flatnonzero(env.observations[slot])}
                        facts = state.facts
                        self.assertTrue(all(fact in facts for fact in held))
                        for p, role in enumerate(players):
                            legal = [game.actions(p)[a] for a in np.flatnonzero(env.mask_of(p)[slot])]
                            self.assertEqual(sorted(legal), sorted(state.legal_moves(role)))
                    env.step(actions)
                    for slot, state in enumerate(states):
                        if over[slot]:
                            continue
                        joint = [game.actions(p)[actions[slot, p]] for p in range(len(players))]
                        after = states[slot] = state.play(joint)
                        self.assertEqual(bool(env.terminated[slot]), after.is_terminal)
                        if after.is_terminal:
                            goals = np.array(after.goals, np.float32)[players] / 100
                            np.testing.assert_allclose(env.rewards[slot], goals)
                        self.assertTrue((game.state(env.states()[slot]).bits == after.bits).all())

    def test_forms_of_rows_agree(self):
        game = ludens.Game("connect_four")
        made = {form: ludens.VecEnv(game, 600, seed=3, observation=form)
                for form in ("bits", "bool", "uint8", "float32")}
        for env in made.values():
            env.reset(9)
            env.roll(11)
        plain = made["bool"].observations
        self.assertTrue((made["uint8"].observations == plain).all())
        self.assertTrue((made["float32"].observations == plain).all())
        spread = np.unpackbits(made["bits"].observations.view(np.uint8), axis=1, bitorder="little")
        self.assertTrue((spread[:, :plain.shape[1]] == plain).all())
        self.assertFalse(spread[:, plain.shape[1]:].any())
        bits = ludens.VecEnv(game, 600, seed=3, mask="bits")
        bits.reset(9)
        bits.roll(11)
        spread = np.unpackbits(bits.masks.view(np.uint8), axis=1, bitorder="little")
        self.assertTrue((spread[:, :made["bool"].masks.shape[1]] == made["bool"].masks).all())

    def test_boards(self):
        game = ludens.Game("connect_four")
        board = game.board
        self.assertEqual(len(board.channels), 2)
        env = ludens.VecEnv(game, 30, observation="board:uint8", autoreset="disabled")
        self.assertEqual(env.observations.shape, (30, *board.shape))
        self.assertFalse(env.observations.any())
        env.roll(6)
        self.assertTrue((env.observations.sum(axis=(1, 2, 3)) == 6).all())
        self.assertTrue((env.observations.sum(axis=(2, 3)) == 3).all())
        self.assertEqual(env.others.shape, (30, len(board.others)))
        # Stones lie on the lowest row, which is drawn last.
        self.assertTrue(env.observations[:, :, -1, :].any(axis=(1, 2)).all())

    @unittest.skipUnless("LUDENS_FAULTS_LIBRARY" in os.environ, "it needs the library of faults")
    def test_threads_that_cant_be_started(self):
        program = """if True:
            import hashlib, ludens
            env = ludens.VecEnv(ludens.Game("tic_tac_toe", machine="sliced"), 4096, threads=4)
            env.roll(20)
            print(hashlib.sha1(env.states().tobytes()).hexdigest())
        """
        told = []
        for at in range(4):  # none; the first, the second or the third of three
            faults = {"LUDENS_FAULTS": f"threads:at={at}", "OPENBLAS_NUM_THREADS": "1",
                      "LD_PRELOAD": os.environ["LUDENS_FAULTS_LIBRARY"]}
            done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True,
                                  env={**os.environ, **faults}, timeout=60)
            self.assertEqual((done.returncode, done.stderr), (0, ""), at)
            told.append(done.stdout)
        self.assertEqual(told, [told[0]] * 4)

    def test_autoreset(self):
        game = ludens.Game("tic_tac_toe")
        start = ludens.VecEnv(game, 1).observations[0].copy()
        same = ludens.VecEnv(game, 64, seed=5, keep_final=True)
        later = ludens.VecEnv(game, 64, seed=5, autoreset="next_step")
        seen = 0
        for _ in range(30):
            _, rewards, over, _, info = same.step(same.sample())
            seen += over.sum()
            self.assertTrue((same.observations[over] == start).all())
            self.assertFalse((info["final_obs"][over] == start).all(axis=1).any())
            self.assertFalse(rewards[~over].any())
            self.assertTrue((rewards[over].sum(axis=1) == 1).all())
            before = later.terminated.copy()
            later.step(later.sample())
            self.assertTrue((later.observations[before] == start).all())
            self.assertFalse(later.terminated[before].any())
        self.assertGreater(seen, 64)

    def test_seeds_and_threads(self):
        game = ludens.Game("pig")
        runs = []
        for threads in (1, 2):
            env = ludens.VecEnv(game, 1500, seed=8, threads=threads)
            env.roll(40)
            runs.append(env.observations.copy())
            env.reset(8)
            env.roll(40)
            runs.append(env.observations.copy())
        for run in runs[1:]:
            self.assertTrue((run == runs[0]).all())

    def test_snapshots(self):
        game = ludens.Game("breakthrough_small")
        env = ludens.VecEnv(game, 40, max_steps=20)
        env.roll(10)
        before = env.observations.copy()
        snapshot = env.save()
        env.roll(5)
        self.assertFalse((env.observations == before).all())
        env.restore(snapshot)
        self.assertTrue((env.observations == before).all())
        env.roll(9)
        self.assertFalse(env.truncated.any())
        env.roll(1)
        self.assertTrue((env.truncated | env.terminated).any())
        env.restore(env.save([3]), [7])
        self.assertTrue((env.observations[3] == env.observations[7]).all())
        env.set_states(np.stack([game.initial.bits]), [5])
        self.assertEqual(game.state(env.states()[5]), game.initial)

    def test_results_of_slots_that_are_put(self):
        game = ludens.Game("tic_tac_toe")
        env = ludens.VecEnv(game, 3, autoreset="disabled", seed=1)
        start = env.save()
        env.roll(9)
        over, rewards = env.save(), env.rewards.copy()
        self.assertEqual(env.terminated.tolist(), [True] * 3)
        env.restore(ludens.Snapshot((1,), start.rows[1:2]))
        self.assertEqual(env.terminated.tolist(), [True, False, True])
        self.assertEqual(env.rewards.tolist(), [rewards[0].tolist(), [0, 0], rewards[2].tolist()])
        env.restore(over)
        self.assertEqual((env.terminated.tolist(), env.rewards.any()), ([True] * 3, False))
        end = env.states()[:1]
        env.set_states(np.stack([game.initial.bits] * 3))
        self.assertFalse(env.terminated.any())
        env.set_states(end, [2])
        self.assertEqual(env.terminated.tolist(), [False, False, True])

    def test_cuts_of_slots_that_are_put(self):
        env = ludens.VecEnv(ludens.Game("tic_tac_toe"), 2, autoreset="disabled", max_steps=2)
        start = env.save()
        env.roll(2)
        cut = env.save()
        self.assertEqual(env.truncated.tolist(), [True, True])
        env.restore(start)
        self.assertEqual(env.truncated.tolist(), [False, False])
        env.restore(cut, [1, 0])
        self.assertEqual(env.truncated.tolist(), [True, True])

    def test_expand_and_play_out(self):
        game = ludens.Game("tic_tac_toe")
        states = np.stack([game.initial.bits])
        for count in (9, 72, 504, 3024, 15120, 54720):
            next_states = ludens.expand(game, states)
            self.assertEqual(len(next_states.parent), count)
            states = next_states.states[~next_states.terminal]
        self.assertEqual(next_states.actions.shape, (count, 2))
        means, steps = ludens.play_out(game, states[:500], 20)
        self.assertEqual(means.shape, (500, 2))
        np.testing.assert_allclose(means.sum(axis=1), 100)
        self.assertGreater(steps, 10_000)

    def test_expands_states_without_facts(self):
        game = ludens.Game.from_text("(role w) (init (s 0)) (legal w a) (legal w b) (goal w 50)"
                                     "(<= (next (s 0)) (true (s 0))) (<= terminal (true (s 9)))")
        next_states = ludens.expand(game, np.zeros((2, 0), np.uint64))
        self.assertEqual(next_states.parent.tolist(), [0, 0, 1, 1])
        self.assertEqual(next_states.states.shape, (4, 0))

    def test_writes_into_arrays_of_the_caller(self):
        game = ludens.Game("tic_tac_toe")
        memory = np.zeros((3, 10, len(game.fluents)), bool)
        rewards = np.zeros((10, 2), np.float32)
        env = ludens.VecEnv(game, 10, out={"observations": memory[1], "rewards": rewards})
        env.roll(3)
        self.assertTrue(memory[1].any())
        self.assertFalse(memory[0].any() or memory[2].any())
        self.assertIs(env.rewards, rewards)


class BadInput(unittest.TestCase):
    def setUp(self):
        self.game = ludens.Game("tic_tac_toe")
        self.env = ludens.VecEnv(self.game, 4)
        self.good = np.full((4, 2), -1, np.int32)

    def refused(self, error, words, call, *arguments, **named):
        with self.assertRaisesRegex(error, words):
            call(*arguments, **named)

    def test_actions(self):
        for actions, error, words in [
                (self.good.astype(np.int64), TypeError, "astype.'int32'"),
                (self.good.astype(np.float32), TypeError, "int32"),
                (self.good[:3], ValueError, r"shape \(3, 2, \) and must have \(4, 2, \)"),
                (self.good[:, 0], ValueError, "shape"),
                (np.full((4, 4), -1, np.int32)[:, ::2], ValueError, "C-contiguous"),
                (np.array(3, np.int32), ValueError, "shape")]:
            with self.subTest(words):
                self.refused(error, words, self.env.step, actions)
        self.env.step(self.good)

    def test_illegal_actions(self):
        for action in (self.game.actions(0).index("noop"), 99, -2, 2**31 - 1, -2**31):
            actions = self.good.copy()
            actions[2, 0] = action
            before = self.env.states()
            self.refused(ludens.IllegalActionError, "slot 2: action .*player 0", self.env.step,
                         actions)
            self.assertTrue((before == self.env.states()).all())
        env = ludens.VecEnv(self.game, 4, illegal="end", rewards=(-1, 1), autoreset="disabled")
        env.step(actions)
        self.assertEqual(env.terminated.tolist(), [False, False, True, False])
        self.assertEqual(env.rewards[2].tolist(), [-1, -1])

    def test_arrays(self):
        fluents = len(self.game.fluents)
        locked = np.zeros((4, fluents), bool)
        locked.flags.writeable = False
        misaligned = np.zeros(4 * 2 * 4 + 1, np.uint8)[1:].view(np.float32).reshape(4, 2)
        for out, error, words in [
                ({"observations": locked}, ValueError, "read-only"),
                ({"observations": np.zeros((4, fluents), np.uint8)}, TypeError, "bool"),
                ({"observations": np.zeros((fluents, 4), bool).T}, ValueError, "C-contiguous"),
                ({"observations": np.zeros((5, fluents), bool)}, ValueError, "shape"),
                ({"rewards": misaligned}, ValueError, "aligned"),
                ({"reward": np.zeros((4, 2), np.float32)}, ValueError, "nothing is written")]:
            with self.subTest(words):
                self.refused(error, words, ludens.VecEnv, self.game, 4, out=out)
        self.env.observations.flags.writeable = False
        self.refused(RuntimeError, "read-only", self.env.step, self.good)

    def test_options(self):
        for options, words in [({"autoreset": "never"}, "same_step"), ({"illegal": "x"}, "error"),
                               ({"observation": "float64"}, "float32"),
                               ({"observation": "table:uint8"}, "board:FORM"),
                               ({"threads": 0}, "threads"), ({"max_steps": 1 << 24}, "step cap"),
                               ({"mask": "int"}, "bool")]:
            with self.subTest(words):
                self.refused(ValueError, words, ludens.VecEnv, self.game, 4, **options)
        self.refused(ValueError, "slot", ludens.VecEnv, self.game, 0)
        puzzle = ludens.Game("rock_paper_scissors")
        if puzzle.board is None:
            self.refused(ValueError, "no board", ludens.VecEnv, puzzle, 2, observation="board:bool")

    def test_closed(self):
        self.env.close()
        self.env.close()
        for call in (self.env.reset, self.env.sample, self.env.save, lambda: self.env.roll(1)):
            self.refused(RuntimeError, "closed", call)

    def test_slots(self):
        self.refused(IndexError, "slot 4", self.env.save, [4])
        snapshot = self.env.save([0])
        self.refused(ValueError, "shape", self.env.restore, snapshot, [0, 1])
        self.refused(TypeError, "uint64", self.env.set_states, np.zeros((4, 1), np.int64))

    def test_several_threads(self):
        env = ludens.VecEnv(self.game, 4096)
        errors = []

        def work():
            for _ in range(300):
                try:
                    env.roll(2)
                except RuntimeError as error:
                    errors.append(str(error))
        threads = [threading.Thread(target=work) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertTrue(all("another thread" in error for error in errors))
        env.roll(1)

    @unittest.skipUnless(hasattr(os, "fork"), "no fork here")
    def test_fork(self):
        env = ludens.VecEnv(self.game, 4096, threads=2)
        child = os.fork()
        if child == 0:
            try:
                env.roll(1)
            except RuntimeError as error:
                os._exit(0 if "fork" in str(error) else 2)
            os._exit(1)
        self.assertEqual(os.waitpid(child, 0)[1], 0)
        env.roll(1)

    def test_games(self):
        self.refused(ludens.GameError, "did you mean 'tic_tac_toe'", ludens.Game, "tic_tac_to")
        self.refused(ludens.GameError, r"rules:1:\d+: error", ludens.Game.from_text, "(role a")
        self.refused(ludens.GameError, "machine", ludens.Game, "nim", machine="quantum")
        endless = ludens.Game.from_text("(role a) (init (n 0)) (legal a go) (goal a 0) (<= terminal "
                                        "(true (n 1))) (<= (next (n (s ?x))) (true (n ?x)))")
        self.refused(ludens.GameError, "finitely many facts", ludens.VecEnv, endless, 1)


if __name__ == "__main__":
    unittest.main()
