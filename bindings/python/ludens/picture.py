# SPDX-License-Identifier: MIT
"""Boards as SVG, for notebooks."""
from __future__ import annotations

from html import escape

_SQUARE = 40
_MARGIN = 24
_NOTHING, _DISC, _CROSS, _RING, _CHESS, _TILE = range(6)
_COLOURS = {"white": "#f4f4f4", "black": "#222", "red": "#d33", "orange": "#e80", "yellow": "#ec0",
            "green": "#2a5", "teal": "#199", "blue": "#27c", "purple": "#83b", "pink": "#e7a",
            "brown": "#852", "grey": "#999"}


def _thing(look: tuple, name: str, x: float, y: float) -> str:
    shape, colour, text, size = look
    fill = _COLOURS.get(colour, "#999")
    r = _SQUARE * 0.4 * size
    if shape == _NOTHING:
        return ""
    if shape == _DISC:
        disc = f'<circle cx="{x}" cy="{y}" r="{r:.1f}" fill="{fill}" stroke="#444"/>'
        return disc + (_text(text, x, y, 14, "#000") if text else "")
    if shape == _RING:
        return (f'<circle cx="{x}" cy="{y}" r="{r * 0.8:.1f}" fill="none" stroke="{fill}" '
                'stroke-width="5"/>')
    if shape == _CROSS:
        a = r * 0.75
        return (f'<path d="M{x - a:.1f} {y - a:.1f}L{x + a:.1f} {y + a:.1f}M{x - a:.1f} '
                f'{y + a:.1f}L{x + a:.1f} {y - a:.1f}" stroke="{fill}" stroke-width="5"/>')
    if shape == _TILE:
        a = _SQUARE * size
        return (f'<rect x="{x - a / 2:.1f}" y="{y - a / 2:.1f}" width="{a:.1f}" height="{a:.1f}" '
                f'fill="{fill}"/>')
    if shape == _CHESS:
        return _text(text, x, y, 30, "#000")
    return _text(text or name, x, y, 14, "#000")


def _text(text: str, x: float, y: float, size: int, fill: str) -> str:
    return (f'<text x="{x}" y="{y}" font-size="{size}" fill="{fill}" text-anchor="middle" '
            f'dominant-baseline="central" font-family="sans-serif">{escape(text)}</text>')


def draw_svg(picture: dict) -> str:
    """The grids of a picture beside each other, with their coordinates."""
    rows, columns = picture["rows"], picture["columns"]
    width = len(columns) * _SQUARE + _MARGIN
    height = len(rows) * _SQUARE + 2 * _MARGIN
    parts = []
    for number, (title, cells) in enumerate(picture["grids"]):
        left = number * (width + _MARGIN) + _MARGIN
        parts.append(_text(title, left + width / 2, _MARGIN / 2, 12, "#666") if title else "")
        for r, name in enumerate(rows):
            y = _MARGIN + (r + 0.5) * _SQUARE
            parts.append(_text(name, left - _MARGIN / 2, y, 12, "#666"))
            for c in range(len(columns)):
                x = left + (c + 0.5) * _SQUARE
                parts.append(f'<rect x="{left + c * _SQUARE}" y="{_MARGIN + r * _SQUARE}" '
                             f'width="{_SQUARE}" height="{_SQUARE}" fill="#e8dcc0" stroke="#aaa"/>')
                for thing in cells[r][c]:
                    parts.append(_thing(picture["looks"][thing], thing, x, y))
        for c, name in enumerate(columns):
            parts.append(_text(name, left + (c + 0.5) * _SQUARE, height - _MARGIN / 2, 12, "#666"))
    total = len(picture["grids"]) * (width + _MARGIN)
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{total}" height="{height}">'
            + "".join(parts) + "</svg>")
