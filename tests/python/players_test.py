# SPDX-License-Identifier: MIT
"""Players and evaluators that are written in Python: in searches, matches, tournaments, servers."""
import dataclasses
import gc
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import textwrap
import threading
import time
import unittest
import urllib.request

import numpy as np

import ludens

PATIENCE = 60.0  # seconds that a slow machine may take


class Greedy:
    """Wins at once where it can, in Python."""

    name = "greedy"

    def start(self, game, role, deadline):
        self.started = game.name

    def think(self, position, deadline):
        for move in position.legal_moves:
            after = position.state.play(move)
            if after.is_terminal and after.goals[position.role] == 100:
                return move
        return position.legal_moves[0]


def illegal(position, deadline):
    return "( mark 7 7 )"


def broken(position, deadline):
    raise KeyError("lost")


def late(position, deadline):
    time.sleep(max(0, deadline - time.monotonic()) + 0.3)
    return position.legal_moves[0]


class Matches(unittest.TestCase):
    def test_match_and_record(self):
        game = ludens.Game("tic_tac_toe")
        greedy = Greedy()
        match = ludens.Match(game, [greedy, "random:seed=2"], start_clock=PATIENCE,
                             play_clock=PATIENCE, seed=4)
        states = list(match)
        self.assertEqual(greedy.started, "tic_tac_toe")
        self.assertTrue(states[-1].is_terminal)
        self.assertEqual(match.faults, [])
        record = match.record
        self.assertEqual(record.disagreements(game), [])
        self.assertEqual(record.goals, list(match.goals))
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "match.json"
            record.save(file)
            read, = ludens.read_records(folder)
            self.assertEqual(read.moves, record.moves)
            self.assertEqual(read.players, ["greedy", "random:seed=2"])
            self.assertEqual(read.json(), record.json())
        self.assertNotEqual(record.disagreements(ludens.Game("nim")), [])

    def test_ids_differ(self):
        game = ludens.Game("nim")
        matches = [ludens.Match(game, ["legal", "random"]) for _ in range(100)]
        self.assertEqual(len({match.record.match_id for match in matches}), 100)

    def test_chance(self):
        match = ludens.Match(ludens.Game("pig"), ["random", "random"], seed=7)
        self.assertEqual(match.play().disagreements(match.game), [])

    def test_faults_of_players(self):
        def leaves(position, deadline):
            sys.exit(3)

        game = ludens.Game("tic_tac_toe")
        for player, code, clock in ((illegal, "IL", PATIENCE), (broken, "CE", PATIENCE),
                                    (leaves, "CE", PATIENCE), (late, "TO", 0.05)):
            match = ludens.Match(game, [player, "legal"], play_clock=clock)
            match.step()
            self.assertEqual(match.faults, [(1, 0, code)])
            self.assertIn(match.state.moves[0][0], game.initial.legal_moves(0))
        with self.assertRaisesRegex(ValueError, "needs 2 players: x, o"):
            ludens.Match(game, ["random"])

    def test_who_has_not_come_back_is_not_asked(self):
        asked, begun, back = [], threading.Event(), threading.Event()

        def stuck(position, deadline):
            asked.append(position)
            begun.set()
            back.wait(PATIENCE)
            return position.legal_moves[0]

        match = ludens.Match(ludens.Game("tic_tac_toe"), [stuck, "legal"], play_clock=0.05)
        for _ in range(3):
            match.step()
        self.assertTrue(begun.wait(PATIENCE))
        back.set()
        self.assertEqual(len(asked), 1)
        self.assertEqual(match.faults, [(1, 0, "TO"), (3, 0, "TO")])


    def test_records_stay_as_they_were(self):
        match = ludens.Match(ludens.Game("nim"), ["legal", "random:seed=2"])
        records = [match.record for _ in match]
        self.assertGreater(len(records), 2)
        self.assertEqual([len(r.moves) for r in records], list(range(len(records))))
        self.assertEqual([len(r.states) for r in records], list(range(1, len(records) + 1)))
        self.assertEqual([r.completed for r in records], [False] * (len(records) - 1) + [True])
        self.assertEqual({r.match_id for r in records}, {match.record.match_id})

    def test_clocks(self):
        game = ludens.Game("nim")
        for clock in (-1, float("nan"), float("inf"), 1e6):
            for which in ("start_clock", "play_clock"):
                with self.assertRaisesRegex(ValueError, "clocks"):
                    ludens.Match(game, ["legal", "random"], **{which: clock})
        ludens.Match(game, ["legal", "random"], start_clock=0, play_clock=0)


class Knowledge(unittest.TestCase):
    def test_a_file_that_cannot_be_read(self):
        game = ludens.Game("tic_tac_toe")
        strategy = "value:knowledge=/no/such/file"
        for call in (lambda: ludens.Player(strategy),
                     lambda: ludens.search(game.initial, strategy=strategy, seconds=0.1),
                     lambda: ludens.Match(game, [strategy, "random"]),
                     lambda: ludens.serve(strategy)):
            with self.assertRaisesRegex(ValueError, "knowledge=/no/such/file: No such file"):
                call()

    def test_what_was_learned_is_used(self):
        game = ludens.Game("tic_tac_toe")
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "known"
            learn(file)
            for knowledge, says in ((file, self.assertIn), ("none", self.assertNotIn)):
                found = ludens.search(game.initial, seconds=PATIENCE,
                                      strategy=f"value:knowledge={knowledge},nodes=200,games=1")
                says("of knowledge", found.explanation)


def learn(file, seed=1):
    """Writes knowledge of tic-tac-toe."""
    seconds = 0.3
    while not file.exists() and seconds < PATIENCE:
        subprocess.run([os.environ["LUDENS_PROGRAM"], "learn", "tic_tac_toe", "--seconds",
                        str(seconds), "--seed", str(seed), "--out", file], check=False, capture_output=True)
        seconds *= 2


def pigeons():
    """The text of a game with thirteen pigeons and twelve holes: a network of its rules would take
    hours."""
    holes = " ".join(f"(hole {hole})" for hole in range(12))
    pigeons = " ".join(f"(hole ?p{pigeon})" + "".join(
        f" (distinct ?p{before} ?p{pigeon})" for before in range(pigeon)) for pigeon in range(13))
    return ("(role r) (init (s 0)) (legal r go) (legal r stay) (goal r 50)"
            "(<= (next (s 0)) (does r stay)) (<= (next (s 1)) (does r go))"
            f"(<= housed (true (s 1)) {pigeons}) (<= terminal housed) {holes}")


COINS = 40


def many_coins():
    """Coins are flipped unseen, and shown but for the last one: what the role then knows fits one
    course of the match in 2^39, which no search finds. It guesses the last coin."""
    return ludens.Game.from_text("\n".join([
        "(role player) (role random) (side heads) (side tails) (init (step 0)) (goal random 0)",
        f"(last {COINS - 1}) (end {COINS})", *(f"(succ {i} {i + 1})" for i in range(COINS)),
        "(<= done (end ?n) (true (step ?n)))",
        "(<= (legal random (flip ?s)) (side ?s) (not done)) (<= (legal random noop) done)",
        "(<= (legal player noop) (not done)) (<= (legal player (guess ?s)) (side ?s) done)",
        "(<= (next (step ?j)) (true (step ?i)) (succ ?i ?j))",
        "(<= (next (coin ?i ?s)) (true (step ?i)) (does random (flip ?s)))",
        "(<= (next (coin ?i ?s)) (true (coin ?i ?s)))",
        "(<= (sees player (coin ?i ?s)) (last ?n) (true (step ?n)) (true (coin ?i ?s)))",
        "(<= (next (guessed ?s)) (does player (guess ?s))) (<= terminal (true (guessed ?s)))",
        "(<= right (last ?n) (true (coin ?n ?s)) (true (guessed ?s)))",
        "(<= (goal player 100) right) (<= (goal player 0) (not right))"]))


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


class Centre:
    """Knows nothing of values, and likes one move of player 0."""

    def __init__(self, action):
        self.action = action
        self.sizes = []

    def evaluate(self, leaves):
        self.sizes.append(len(leaves))
        n, players = len(leaves), len(leaves.game.players)
        priors = np.ones(leaves.masks.shape)
        priors[:, self.action] = 20
        return np.full((n, players), 0.5), priors


class Careless(ludens.Player):
    """A search that answers with a move that does not exist."""

    def _choose(self, *args):
        return dataclasses.replace(super()._choose(*args), move="( open nothing )")


class Hidden(unittest.TestCase):
    """Games in which roles perceive a part of what happens."""

    def setUp(self):
        self.game = ludens.Game("phantom_tic_tac_toe")

    def test_roles_know_their_moves_and_percepts(self):
        state = self.game.initial.play("( try 2 2 )")
        self.assertEqual(state.knowledge("o"), [ludens.KnownTurn("noop", ("( control o )",))])
        self.assertEqual(state.knowledge("x"), [ludens.KnownTurn("( try 2 2 )", ())])
        state = state.play("( try 2 2 )")
        self.assertEqual(state.knowledge("o")[-1], ludens.KnownTurn("( try 2 2 )", ("taken",)))
        self.assertEqual(state.knowledge("x")[-1], ludens.KnownTurn("noop", ()))
        self.assertIsNone(ludens.Game("tic_tac_toe").initial.knowledge("x"))

    def test_what_is_believed_depends_on_what_is_known_alone(self):
        first, other = (self.game.initial.play(move) for move in ("( try 1 1 )", "( try 3 2 )"))
        self.assertNotEqual(first, other)
        self.assertEqual(first.believed("o"), other.believed("o"))
        self.assertEqual(first.believed("o").knowledge("o"), first.knowledge("o"))
        self.assertEqual(first.believed("x"), first, "x knows all by now")
        self.assertIs(type(first.believed("o")), ludens.State)
        plain = ludens.Game("tic_tac_toe").initial
        self.assertEqual(plain.believed("x"), plain)

    def test_searches_are_told_no_more(self):
        def chosen(state):
            found = ludens.Player("pimc:playouts=200,seed=3").choose(state, "o", PATIENCE)
            return found.move, [(move.move, move.visits) for move in found.root]

        states = [self.game.initial.play(move) for move in ("( try 1 1 )", "( try 3 2 )")]
        self.assertEqual(chosen(states[0]), chosen(states[1]))

    def test_a_match_and_its_record(self):
        seen = []

        class Curious:
            def think(self, position, deadline):
                seen.append((position.state.moves, position.known))
                return position.legal_moves[-1]

        match = ludens.Match(self.game, [Curious, "random:seed=2"], start_clock=PATIENCE,
                             play_clock=PATIENCE)
        record = match.play()
        self.assertEqual(match.faults, [])
        self.assertEqual(record.disagreements(self.game), [])
        self.assertEqual(len(record.percepts), len(record.moves))
        for moves, known in seen:
            self.assertEqual([turn.move for turn in known], [joint[0] for joint in moves])
            self.assertEqual([list(turn.percepts) for turn in known],
                             [row[0] for row in record.percepts[:len(known)]])
        self.assertTrue(any(tuple(joint) != told for moves, _ in seen
                            for told, joint in zip(moves, record.moves)),
                        "what x did not see was told")

    def test_what_is_not_found_in_time(self):
        game = many_coins()
        state = game.initial
        for i in range(COINS):
            state = state.play(("noop", "( flip tails )" if i % 3 else "( flip heads )"))
        choice = ludens.Player("mcts").choose(state, "player", seconds=0.01)
        self.assertEqual(choice.move, state.legal_moves("player")[0])
        self.assertEqual(choice.nodes, 0)
        self.assertIsNone(state._believed("player", 0.01))
        self.assertIsNone(state._believed("player", 600, lambda: True), "it was stopped")
        asked = []
        match = ludens.Match(game, [lambda position, deadline: asked.append(position)],
                             play_clock=0.01)
        match.play()
        self.assertEqual((match.faults, asked), ([(COINS + 1, 0, "TO")], []))

    def test_moves_that_are_legal_by_what_is_hidden(self):
        game = ludens.Game.from_text("""
            (role seeker) (role random) (init (step 0)) (place left) (place right) (way in) (way out)
            (<= (legal random (hide ?p)) (place ?p) (true (step 0)))
            (<= (legal seeker noop) (true (step 0))) (<= (legal random noop) (true (step 1)))
            (<= (legal seeker (open ?p ?w)) (true (step 1)) (true (at ?p)) (way ?w))
            (<= (next (at ?p)) (does random (hide ?p)))
            (<= (next (step 1)) (true (step 0))) (<= (next (step 2)) (true (step 1)))
            (<= (next won) (does seeker (open ?p in))) (<= (sees seeker began) (true (step 0)))
            (<= terminal (true (step 2)))
            (<= (goal seeker 100) (true won)) (<= (goal seeker 0) (not (true won)))
            (goal random 0)""")
        hidden = set()
        for seed in range(1, 11):
            for player in ("alphabeta", ludens.Player("pimc:playouts=50,seed=1"), Careless()):
                match = ludens.Match(game, [player], seed=seed, start_clock=PATIENCE,
                                     play_clock=PATIENCE)
                record = match.play()
                hidden.add(record.moves[0][1])
                faults = [(2, 0, "IL")] if isinstance(player, Careless) else []
                self.assertEqual(match.faults, faults)
        self.assertEqual(len(hidden), 2)

    def test_a_state_without_a_history(self):
        with self.assertRaisesRegex(ValueError, "play to it from"):
            self.game.state(self.game.initial.play("( try 1 1 )").bits).knowledge("o")


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
        program = textwrap.dedent("""
            import ludens
            try:
                ludens.Player("nonsense")
            except ValueError as error:
                kept = error  # and with it the player, until Python ends
        """)
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True,
                              env=os.environ, timeout=PATIENCE)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

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


def lines_of(program):
    """What a program prints that ends well. It is killed if it does not end."""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True,
                          timeout=2 * PATIENCE, env=os.environ)
    if (done.returncode, done.stderr) != (0, ""):
        raise AssertionError(f"exit code {done.returncode}: {done.stderr}")
    return done.stdout.splitlines()


class Hanging(unittest.TestCase):
    """What is written in Python may never come back."""

    PROGRAM = """
        import threading, time
        import numpy as np, ludens
        game = ludens.Game("connect_four")
        under_way = threading.Event()

        def hangs(*_):
            under_way.set()
            {how}
        player = ludens.Player("value", evaluator=hangs)
    """
    HOWS = ("threading.Event().wait()", "while True: pass", "time.sleep(1e6)")

    def program(self, how, rest):
        return textwrap.dedent(self.PROGRAM).replace("{how}", how) + textwrap.dedent(rest)

    def expect(self, how, rest, last):
        self.assertEqual(lines_of(self.program(how, rest))[-1:], [last])

    def test_an_evaluator_is_left_behind_at_the_end(self):
        for how in self.HOWS:
            with self.subTest(how):
                self.expect(how, """
                    work = threading.Thread(target=player.choose, args=(game.initial, 0, 600.0))
                    work.daemon = True
                    work.start()
                    under_way.wait()
                    print("done")
                """, "done")

    def test_an_evaluator_is_left_behind_by_its_search(self):
        self.expect(self.HOWS[0], """
            seconds, errors = 0.5, 0
            while errors < 2 and seconds < 100:
                try:
                    player.choose(game.initial, seconds=seconds)
                    seconds *= 2  # the evaluator was not asked yet
                except RuntimeError as error:
                    errors += 1
                    print(error)
        """, "the evaluator has not come back a second after the end of the search: it is left "
             "behind")

    def test_stop_gives_what_there_is(self):
        self.expect(self.HOWS[0], """
            stopper = threading.Thread(target=lambda: (under_way.wait(), player.stop()))
            stopper.start()
            print(player.choose(game.initial, seconds=600).move in game.initial.legal_moves(0))
        """, "True")

    def test_control_c(self):
        program = self.program(self.HOWS[0], """
            print("started", flush=True)
            threading.Thread(target=lambda: (under_way.wait(), print("under way", flush=True))).start()
            try:
                player.choose(game.initial, seconds=600)
            except KeyboardInterrupt:
                print("interrupted")
        """)
        with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, env=os.environ) as process:
            self.assertEqual(process.stdout.readline(), "started\n")
            self.assertEqual(process.stdout.readline(), "under way\n")
            process.send_signal(signal.SIGINT)
            out, errors = process.communicate(timeout=2 * PATIENCE)
        self.assertEqual((process.returncode, out, errors), (0, "interrupted\n", ""))

    def test_in_matches_and_servers(self):
        for how in self.HOWS[:2]:
            with self.subTest(how):
                self.expect(how, """
                    for bad in (hangs, player):
                        match = ludens.Match(game, [bad, "legal"], play_clock=0.3, start_clock=0.3)
                        match.step()
                        print(match.faults[-1])
                    ludens.serve(hangs)
                    print("done")
                """, "done")

    def test_other_work_of_threads_ends_with_python(self):
        self.expect(self.HOWS[0], """
            deep = ludens.Game("chess").initial
            for work in (lambda: ludens.solve(deep, seconds=600),
                         lambda: ludens.search(deep, seconds=600),
                         lambda: ludens.VecEnv(game, 512).roll(10**9)):
                threading.Thread(target=work, daemon=True).start()
            time.sleep(1)
            print("done")
        """, "done")


class Endings(unittest.TestCase):
    """What still runs when Python ends."""

    def expect(self, program, lines):
        self.assertEqual(lines_of(textwrap.dedent(program)), lines)

    def test_an_object_that_goes_last(self):
        self.expect("""
            import ludens

            class Last:
                def __init__(self):
                    self.state = ludens.Game("tic_tac_toe").initial

                def __del__(self):
                    print("ends")
                    print(round(sum(self.state.playouts(3))))

            last = Last()
        """, ["ends", "100"])

    def test_a_thread_that_waits_for_the_lock(self):
        self.expect("""
            import sys, threading, time
            import ludens

            class Last:
                def __del__(self, sleep=time.sleep):
                    sleep(0.1)  # lets the others have the lock

            last = Last()
            env = ludens.VecEnv(ludens.Game("tic_tac_toe"), 512)
            before = env.observations.tobytes()
            rolling = threading.Thread(target=env.roll, args=(30000,), daemon=True)
            rolling.start()
            while rolling.is_alive():
                try:
                    env.total_steps
                except RuntimeError:  # the thread is using it, without the lock
                    break
            sys.setswitchinterval(1000)  # and does not get that any more
            while rolling.is_alive() and env.observations.tobytes() == before:
                pass
        """, [])

    def test_an_open_tournament(self):
        self.expect("""
            import atexit, threading

            @atexit.register
            def tell():
                print([t.name for t in threading.enumerate() if t.name == "ludens-match"])

            import ludens
            tournament = ludens.Tournament(["connect_four"],
                                           {"a": "legal", "b": "random", "c": "mcts"}, at_once=3,
                                           play_clock=600)
            matches = iter(tournament)
            print(next(matches).number >= 0)
        """, ["True", "[]"])

    def test_a_game_that_is_not_ready(self):
        self.expect(f"""
            import threading
            import ludens
            game = ludens.Game.from_text({pigeons()!r}, machine="interpreter")
            begun = threading.Event()

            def think(position, deadline):
                begun.set()
                position.state.bits

            match = ludens.Match(game, [think], play_clock=600)
            threading.Thread(target=lambda: (begun.wait(), match.stop())).start()
            try:
                match.play()
            except ludens.match.Stopped:
                print("stopped")
        """, ["stopped"])


class Tournaments(unittest.TestCase):
    def test_seats_and_standings(self):
        with tempfile.TemporaryDirectory() as folder:
            tournament = ludens.Tournament(
                ["tic_tac_toe", "knights_tour"],
                {"greedy": Greedy, "first": "legal", "broken": broken}, rounds=2,
                play_clock=PATIENCE, records=folder)
            self.assertEqual(tournament.total, 2 * (6 + 3))
            seen = []
            for match in tournament:
                seen.append(match)
                self.assertEqual(tournament.done, len(seen))
                self.assertIn(match.game.name, str(match))
            self.assertEqual(tournament.done, tournament.total)
            self.assertEqual(len(ludens.read_records(folder)), tournament.total)
            log = (pathlib.Path(folder) / "tournament.jsonl").read_text(encoding="utf-8")
        lines = [json.loads(line) for line in log.splitlines()[1:]]
        blocks = [[line for line in lines if line["block"] == number]
                  for number in {line["block"] for line in lines}]
        self.assertEqual(seen, tournament.matches)
        self.assertEqual({m.players for m in seen if len(m.players) == 2},
                         {(a, b) for a in tournament.players for b in tournament.players if a != b})
        for match in seen:
            self.assertEqual(match.record.disagreements(match.game), [])
            self.assertEqual(tuple(match.record.players), match.players)
        table = {s.name: s for s in tournament.standings}
        self.assertGreater(table["broken"].faults, 0)
        self.assertEqual(table["greedy"].faults, 0)
        for name, standing in table.items():
            scores = [np.mean([goal for match in block for player, goal
                               in zip(match["players"], match["goals"]) if player == name])
                      for block in blocks if any(name in match["players"] for match in block)]
            self.assertEqual(len(scores), 2 * 3)
            self.assertAlmostEqual(standing.mean, np.mean(scores))
            self.assertLessEqual(standing.low, standing.mean)
            self.assertGreaterEqual(standing.high, standing.mean)
            self.assertEqual(standing.matches, 2 * 5)
        self.assertEqual([s.mean for s in tournament.standings],
                         sorted((s.mean for s in tournament.standings), reverse=True))
        self.assertIn("greedy", str(tournament))

    def test_several_at_once_with_evaluators(self):
        players = {"net": ludens.Player("value:nodes=30", evaluator=Centre(0)), "greedy": Greedy}
        tournament = ludens.Tournament(["tic_tac_toe"], players, rounds=3, at_once=3,
                                       play_clock=PATIENCE)
        self.assertEqual(sorted(m.number for m in tournament), list(range(6)))
        self.assertEqual([s.faults for s in tournament.standings], [0, 0])

    def test_errors_of_matches_are_raised(self):
        for kind in (IndexError, ValueError, SystemExit):
            class Broken:
                def __init__(self):
                    raise kind("no such book")

                def think(self, position, deadline):
                    return position.legal_moves[0]

            for at_once in (1, 2):
                tournament = ludens.Tournament(["tic_tac_toe"], {"a": Broken, "b": "random"},
                                               at_once=at_once)
                raised = []

                def play():
                    try:
                        tournament.play()
                    except kind as error:
                        raised.append(str(error))

                playing = threading.Thread(target=play, daemon=True)
                playing.start()
                playing.join(PATIENCE)
                self.assertEqual(raised, ["no such book"], (kind, at_once))

    def test_leaving_it_ends_searches(self):
        tournament = ludens.Tournament(["connect_four"], {"a": "legal", "b": "random", "c": "mcts"},
                                       at_once=3, play_clock=600)
        begin = time.monotonic()
        for match in tournament:
            self.assertNotIn("c", match.players)
            break
        self.assertLess(time.monotonic() - begin, 300)
        self.assertEqual(tournament.done, 1)

    def test_goes_on_where_it_was_left(self):
        tournament = ludens.Tournament(["tic_tac_toe"], ["legal", "random"], rounds=3)
        for match in tournament:
            if tournament.done == 2:
                break
        self.assertEqual(len(tournament.play()), 2)
        self.assertEqual([m.number for m in tournament.matches], list(range(6)))

    def test_goes_on_with_its_log(self):
        def tournament(**options):
            return ludens.Tournament(["tic_tac_toe", "pig"], {"a": "legal", "b": broken}, rounds=2,
                                     records=folder, **{"play_clock": PATIENCE, **options})

        with tempfile.TemporaryDirectory() as folder:
            first = tournament()
            for match in first:
                if first.done == 3:
                    break
            before = str(first), first.standings, [m.goals for m in first.matches]
            del first, match
            gc.collect()  # the log is let go
            with self.assertRaisesRegex(ValueError, "tournament.jsonl"):
                tournament()
            with self.assertRaisesRegex(ValueError, "tournament.jsonl"):
                tournament(resume=True, seed=2)
            again = tournament(resume=True)
            self.assertEqual(before, (str(again), again.standings, [m.goals for m in again.matches]))
            for match in again.matches:
                self.assertEqual(match.record.disagreements(match.game), [])
                self.assertEqual(match.faults, sum(map(bool, sum(match.record.errors, []))))
            again.play()
            self.assertEqual([m.number for m in again.matches], list(range(again.total)))
            self.assertEqual(len(ludens.read_records(folder)), again.total)

    def test_goes_on_without_records(self):
        with tempfile.TemporaryDirectory() as folder:
            def tournament(**options):
                return ludens.Tournament(["nim"], ["legal", "random"], rounds=2, records=folder,
                                         **options)

            self.assertEqual(len(tournament().play()), 2)
            gc.collect()  # the log is let go
            files = sorted((pathlib.Path(folder) / "records").iterdir())
            files[0].unlink()
            files[1].write_text("")
            again = tournament(resume=True)
            self.assertEqual(again.done, again.total)
            self.assertEqual(len([m for m in again.matches if m.record is None]), 2)
            self.assertEqual(len([m for m in again.matches if m.record is not None]), 2)

    def test_clocks_are_part_of_it(self):
        with tempfile.TemporaryDirectory() as folder:
            def tournament(play_clock, **options):
                return ludens.Tournament(["nim"], ["legal", "random"], start_clock=0.5,
                                         play_clock=play_clock, records=folder, **options)

            first = tournament(0.2)
            first.play()
            self.assertEqual({m.record.play_clock for m in first.matches}, {0.2})
            del first
            gc.collect()  # the log is let go
            with self.assertRaisesRegex(ValueError, "play-clock"):
                tournament(1.3, resume=True)
            again = tournament(0.2, resume=True)
            self.assertEqual(again.done, again.total)
            self.assertEqual({(m.record.start_clock, m.record.play_clock) for m in again.matches},
                             {(0.5, 0.2)})

    def test_knowledge_is_part_of_it(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "known"
            learn(file)
            strategy = f"value:knowledge={file},nodes=2,games=1"

            def tournament(**options):
                return ludens.Tournament(
                    ["tic_tac_toe"], {"named": strategy, "made": ludens.Player(strategy),
                                      "other": "legal"}, records=folder, **options)

            for _ in tournament():
                break
            gc.collect()  # the log is let go
            log = (pathlib.Path(folder) / "tournament.jsonl").read_text(encoding="utf-8")
            named, made, other = json.loads(log.splitlines()[0])["plan"]["players"]
            self.assertEqual(len(named["hash"]), 16)
            self.assertEqual(made["hash"], named["hash"])
            self.assertNotIn("hash", other)
            tournament(resume=True)
            gc.collect()
            file.unlink()
            learn(file, seed=2)
            with self.assertRaisesRegex(ValueError, "tournament.jsonl"):
                tournament(resume=True)

    def test_wrong_tournaments(self):
        for call, words in [
                (lambda: ludens.Tournament([], ["legal"]), "at least"),
                (lambda: ludens.Tournament(["nim", "nim"], ["legal"]), "two games"),
                (lambda: ludens.Tournament(["nim"], ["legal", "legal"]), "two players"),
                (lambda: ludens.Tournament(["nim"], ["legal"], play_clock=-1), "clocks"),
                (lambda: ludens.Tournament(["nim"], ["legal"], start_clock=float("nan")),
                 "clocks")]:
            with self.assertRaisesRegex(ValueError, words):
                call()


def ask(server, text):
    request = urllib.request.Request(server.url, text.encode(), {"Content-Type": "text/acl"})
    with urllib.request.urlopen(request, timeout=PATIENCE) as reply:
        return reply.read().decode().strip().lower()


class Servers(unittest.TestCase):
    def play(self, server, moves, clock):
        """A match of tic-tac-toe in which the server is x; its answers."""
        rules = ludens.Game("tic_tac_toe").text
        rules = "\n".join(line.split(";")[0] for line in rules.splitlines())
        self.assertEqual(ask(server, f"(START m1 x ({rules}) {clock} {clock})"), "ready")
        answers = [ask(server, "(PLAY m1 NIL)")]
        for move in moves:
            ask(server, f"(PLAY m1 ({answers[-1]} noop))")
            answers.append(ask(server, f"(PLAY m1 (noop {move}))"))
        return answers

    def test_a_class_plays(self):
        started = []

        class Third:
            def start(self, game, role, deadline):
                started.append((game.roles[role], deadline > time.monotonic()))

            def think(self, position, deadline):
                self.asked = getattr(self, "asked", 0) + 1
                return position.legal_moves[1 + self.asked]

        with ludens.serve(Third, margin=0.5, name="third") as server:
            self.assertGreater(server.port, 0)
            self.assertIn("available", ask(server, "(INFO)"))
            legal = ludens.Game("tic_tac_toe").initial.legal_moves(0)
            answers = self.play(server, ["(mark 3 3)"], 30)
            self.assertEqual(answers[0], legal[2])
            left = [m for m in legal if m not in (answers[0], "( mark 3 3 )")]
            self.assertEqual(answers[1], left[3])
            self.assertEqual(started, [("x", True)])
            url = server.url
        with self.assertRaises(OSError):
            urllib.request.urlopen(url, timeout=5)
        server.close()

    def test_the_first_move_after_a_start_that_failed(self):
        asked = []

        class Last:
            def start(self, game, role, deadline):
                asked.append("start")
                raise RuntimeError("no model")

            def think(self, position, deadline):
                asked.append("think")
                return position.legal_moves[-1]

        legal = ludens.Game("tic_tac_toe").initial.legal_moves(0)
        rules = " ".join(line.split(";")[0]
                         for line in ludens.Game("tic_tac_toe").text.splitlines())
        with ludens.serve(Last) as server:
            self.assertEqual(ask(server, f"(START m1 x ({rules}) 30 60)"), "ready")
            self.assertEqual(ask(server, "(PLAY m1 NIL)"), legal[-1])
        self.assertEqual(asked, ["start", "think"])

    def test_faults_send_a_legal_move(self):
        legal = [m.strip() for m in ludens.Game("tic_tac_toe").initial.legal_moves(0)]
        for player, clock in ((illegal, 30), (broken, 30), (late, 2)):
            with self.subTest(player.__name__), ludens.serve(player, margin=0.5) as server:
                self.assertIn(self.play(server, [], clock)[0], legal)

    def test_strategies_and_evaluators(self):
        player = ludens.Player("value:nodes=40", evaluator=Centre(0))
        for served in ("mcts:playouts=50", player):
            with ludens.serve(served, margin=0.5) as server:
                self.assertEqual(len(self.play(server, ["(mark 3 3)"], 30)), 2)
        self.assertGreater(sum(player.evaluator.sizes), 40)

    def test_what_cannot_be_served(self):
        with self.assertRaisesRegex(ValueError, "did you mean"):
            ludens.serve("mtcs")
        for margin in (-1.0, 601.0, float("nan")):
            with self.assertRaisesRegex(ValueError, "margin"):
                ludens.serve("legal", margin=margin)
        with ludens.serve("legal") as server, self.assertRaisesRegex(RuntimeError, "in use"):
            ludens.serve("legal", port=server.port)

    def test_addresses(self):
        with ludens.serve("legal", bind="127.0.0.1") as server:
            self.assertEqual(server.url, f"http://127.0.0.1:{server.port}")
        try:
            server = ludens.serve("legal", bind="::1")
        except RuntimeError as error:
            self.skipTest(str(error))  # a machine without IPv6
        with server:
            self.assertEqual(server.url, f"http://[::1]:{server.port}")
            self.assertIn("available", ask(server, "(INFO)"))

    def test_without_descriptors(self):
        program = textwrap.dedent("""
            import os, resource, ludens
            ludens.Game("nim")
            resource.setrlimit(resource.RLIMIT_NOFILE, (256, 256))
            taken = []
            try:
                while True:
                    taken.append(os.open(os.devnull, os.O_RDONLY))
            except OSError:
                pass
            for free in range(8):
                try:
                    ludens.serve("legal").close()
                    print("listens")
                except RuntimeError as error:
                    print(error)
                os.close(taken.pop())
        """)
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True,
                              timeout=PATIENCE, env=os.environ)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        lines = done.stdout.splitlines()
        self.assertIn("Too many open files", lines[0])
        self.assertEqual(lines[-1], "listens")

    def test_ends_with_python(self):
        program = "import ludens; server = ludens.serve('mcts'); print(server.port)"
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True,
                              timeout=PATIENCE, env=os.environ)
        self.assertEqual((done.returncode, done.stderr), (0, ""))


if __name__ == "__main__":
    unittest.main()
