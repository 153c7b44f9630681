# SPDX-License-Identifier: MIT
"""Every example runs and says what it should, with less work than by default."""
import importlib.util
import pathlib
import struct
import tempfile
import unittest
import zlib

import numpy as np

import ludens

FOLDER = pathlib.Path(__file__).resolve().parent.parent.parent / "bindings/python/examples"


def example(name: str):
    spec = importlib.util.spec_from_file_location(name, FOLDER / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Examples(unittest.TestCase):
    def test_all_are_tested_and_short(self):
        for file in FOLDER.glob("*.py"):
            self.assertTrue(hasattr(self, f"test_{file.stem}"), file)
            self.assertLessEqual(len(file.read_text(encoding="utf-8").splitlines()), 60, file)

    def test_rollouts(self):
        example("rollouts").main("tic_tac_toe", 512, 20)

    def test_q_learning(self):
        self.assertGreaterEqual(example("q_learning").main("knights_tour", 300), 50)

    def test_perft(self):
        table = example("perft").main(4, 1000)
        self.assertEqual(table["tic_tac_toe"], [9, 72, 504, 3024])
        self.assertEqual(table["breakthrough_small"], [13, 156, 1924])
        self.assertEqual(table["chess"], [20, 400, 8902])
        self.assertNotIn("pig", table)

    def test_tournament(self):
        mean = example("tournament").main("tic_tac_toe", 2, "random", 30)
        self.assertGreater(mean, 50)

    def test_self_play(self):
        with tempfile.TemporaryDirectory() as folder:
            picture = pathlib.Path(folder) / "curve.png"
            worst = example("self_play").main("tic_tac_toe", 5, 40, 100, picture)
            self.assertGreaterEqual(worst, 50)
            data = picture.read_bytes()
        self.assertEqual(data[:8], b"\x89PNG\r\n\x1a\n")
        kinds, at = [], 8
        while at < len(data):
            length, = struct.unpack(">I", data[at:at + 4])
            body = data[at + 4:at + 8 + length]
            check, = struct.unpack(">I", data[at + 8 + length:at + 12 + length])
            self.assertEqual(zlib.crc32(body), check)
            kinds.append(body[:4])
            at += 12 + length
            if body[:4] == b"IDAT":
                rows = np.frombuffer(zlib.decompress(body[4:]), np.uint8).reshape(400, 1 + 3 * 640)
        self.assertEqual(kinds, [b"IHDR", b"IDAT", b"IEND"])
        blue = (rows[:, 1:].reshape(400, 640, 3) == (31, 119, 180)).all(axis=2)
        self.assertGreater(blue.any(axis=0).sum(), 500)  # the curve goes from left to right

    def test_bundled_games_have_environments(self):
        for name in ludens.bundled_games():
            with ludens.VecEnv(ludens.Game(name), 3) as env:
                env.roll(5)
                self.assertGreater(env.total_steps, 0)


if __name__ == "__main__":
    unittest.main()
