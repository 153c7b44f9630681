# SPDX-License-Identifier: MIT
"""Curves as pictures, using only numpy."""
from __future__ import annotations

import os
import struct
import zlib
from typing import Mapping, Sequence, Union

import numpy as np

_WIDTH, _HEIGHT, _MARGIN = 640, 400, 48
_COLOURS = ((31, 119, 180), (214, 39, 40), (44, 160, 44), (148, 103, 189), (140, 86, 75))
# Three columns by five rows, the upper left one first.
_GLYPHS = {"0": 0b111101101101111, "1": 0b010110010010111, "2": 0b111001111100111,
           "3": 0b111001111001111, "4": 0b101101111001001, "5": 0b111100111001111,
           "6": 0b111100111101111, "7": 0b111001001001001, "8": 0b111101111101111,
           "9": 0b111101111001111, ".": 0b000000000000010, "-": 0b000000111000000}


def save_curves(path: Union[str, os.PathLike[str]],
                curves: Mapping[str, Sequence[tuple[float, float]]]) -> None:
    """Draws curves of points (x, y) into a PNG, in the order of the colours blue, red, green, violet
    and brown; both axes show their least and greatest value."""
    points = np.array([point for curve in curves.values() for point in curve], float)
    if points.size == 0:
        raise ValueError("there is no point to draw")
    if not np.isfinite(points).all():
        raise ValueError("points are finite numbers")
    low, high = points.min(axis=0), points.max(axis=0)
    span = np.where(high > low, high - low, 1.0)
    image = np.full((_HEIGHT, _WIDTH, 3), 255, np.uint8)

    def place(point: Sequence[float]) -> np.ndarray:
        x, y = (np.asarray(point) - low) / span
        return np.array([_MARGIN + x * (_WIDTH - 2 * _MARGIN),
                         _HEIGHT - _MARGIN - y * (_HEIGHT - 2 * _MARGIN)])

    def line(begin: np.ndarray, end: np.ndarray, colour: tuple[int, int, int]) -> None:
        count = int(np.abs(end - begin).max()) + 2
        x, y = np.rint(np.linspace(begin, end, count)).astype(int).T
        for dx, dy in ((0, 0), (1, 0), (0, 1)):
            image[y + dy, x + dx] = colour

    def number(value: float, x: int, y: int) -> None:
        for glyph in f"{value:.4g}":
            for i in range(15):
                if _GLYPHS.get(glyph, 0) >> (14 - i) & 1:
                    column, row = x + i % 3 * 2, y + i // 3 * 2
                    image[row:row + 2, column:column + 2] = 0
            x += 8

    corner = np.array([_MARGIN, _HEIGHT - _MARGIN])
    line(corner, np.array([_WIDTH - _MARGIN, _HEIGHT - _MARGIN]), (0, 0, 0))
    line(corner, np.array([_MARGIN, _MARGIN]), (0, 0, 0))
    number(low[0], _MARGIN, _HEIGHT - _MARGIN + 10)
    number(high[0], _WIDTH - _MARGIN - 24, _HEIGHT - _MARGIN + 10)
    number(low[1], 4, _HEIGHT - _MARGIN - 10)
    number(high[1], 4, _MARGIN)
    for colour, curve in enumerate(curves.values()):
        places = [place(point) for point in curve]
        for begin, end in zip(places, places[1:] or places):
            line(begin, end, _COLOURS[colour % len(_COLOURS)])
    with open(path, "wb") as file:
        file.write(_png(image))


def _png(image: np.ndarray) -> bytes:
    """An image, uint8 [height, width, 3]."""
    height, width, _ = image.shape
    rows = np.concatenate([np.zeros((height, 1), np.uint8), image.reshape(height, -1)], axis=1)

    def chunk(kind: bytes, data: bytes) -> bytes:
        return (struct.pack(">I", len(data)) + kind + data
                + struct.pack(">I", zlib.crc32(kind + data)))

    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">2I5B", width, height, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(rows.tobytes(), 9)) + chunk(b"IEND", b""))
