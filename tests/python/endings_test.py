# SPDX-License-Identifier: MIT
"""What hangs, and what still runs when Python ends."""
import os
import signal
import subprocess
import sys
import textwrap
import unittest

from players import PATIENCE, lines_of, pigeons


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
        self.assertEqual(lines_of(self.program(how, rest), 2 * PATIENCE)[-1:], [last])

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
        self.assertEqual(lines_of(textwrap.dedent(program), 2 * PATIENCE), lines)

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


if __name__ == "__main__":
    unittest.main()
