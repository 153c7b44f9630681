// SPDX-License-Identifier: MIT
// Choosing squares of a board: by mouse and finger (clicks, drag and drop), and by keyboard.
"use strict";

const kClick = 6;  // pixels that a pointer may wander between press and release of a click

/**
 * Hands what people do with a board to `chooser`: `click(square)`; `mayDrag(square)`, whether what lies there can be
 * moved, `lift(square)` when it leaves its square, and `click(square)` where it is put; `clear()`. Squares are marked with
 * `mark`.
 */
class BoardInput {
  constructor(picture, chooser) {
    this.picture = picture;
    this.chooser = chooser;
    this.press = null;  // {square, x, y, ghost, lifted} while a button or a finger is down
    this.focused = 0;
    const on = (name, action) => picture.node.addEventListener(name, (event) => action.call(this, event));
    on("pointerdown", this.down);
    on("pointermove", this.move);
    on("pointerup", this.up);
    on("pointercancel", this.drop);
    on("pointerover", this.hover);
    on("pointerleave", this.hover);
    on("click", (event) => { if (event.detail === 0) this.activate(event); });  // by a screen reader, without a pointer
    on("keydown", this.key);
    on("focusin", (event) => this.focus(this.squareOf(event.target)));
    picture.node.classList.add("input");
  }

  squareOf(node) {
    const square = node instanceof Element ? node.closest("[data-square]") : null;
    return square ? Number(square.dataset.square) : undefined;
  }

  squareAt(event) { return this.squareOf(document.elementFromPoint(event.clientX, event.clientY)); }

  // --- Pointers ---

  down(event) {
    const square = this.squareOf(event.target);
    if (event.button !== 0 || square === undefined || this.press) return;
    this.press = {square, id: event.pointerId, x: event.clientX, y: event.clientY, ghost: null};
    this.picture.node.setPointerCapture(event.pointerId);  // the release comes here wherever it is
  }

  move(event) {
    const press = this.press;
    if (!press || press.id !== event.pointerId) return;
    const [dx, dy] = [event.clientX - press.x, event.clientY - press.y];
    if (!press.ghost && Math.hypot(dx, dy) > kClick && this.chooser.mayDrag(press.square)) {
      Object.assign(press, this.makeGhost(press.square));
    }
    if (!press.ghost) return;
    if (!press.lifted && this.squareAt(event) !== press.square) {
      press.lifted = true;
      this.chooser.lift(press.square);
    }
    const scale = press.ghost.ownerSVGElement.getScreenCTM().a;
    press.ghost.setAttribute("transform", `translate(${dx / scale} ${dy / scale})`);
  }

  up(event) {
    const press = this.press;
    if (!press || press.id !== event.pointerId) return;
    this.move(event);
    this.drop();
    const over = this.squareAt(event);
    const near = Math.hypot(event.clientX - press.x, event.clientY - press.y) <= kClick;
    if (press.lifted) {
      if (over !== press.square && over !== undefined) this.chooser.click(over);
    } else if (near || over === press.square) {
      this.chooser.click(press.square);
    }
  }

  activate(event) {
    const square = this.squareOf(event.target);
    if (square !== undefined) this.chooser.click(square);
  }

  drop() {
    if (this.press && this.press.ghost) {
      this.press.cover.remove();
      this.press.ghost.remove();
    }
    this.press = null;
  }

  /** What lies on a square, to be moved about; the square itself looks empty meanwhile. */
  makeGhost(square) {
    const node = this.picture.nodeOf(square);
    const cover = this.frame(square, "square chosen cover");
    const ghost = drawn("g", {class: "pieces ghost"});
    this.picture.put(ghost, square % this.picture.size, this.chooser.thingsOn(square));
    node.ownerSVGElement.append(cover, ghost);
    return {cover, ghost};
  }

  /** All squares that a click here would choose: a column, where moves name columns. */
  hover(event) {
    const square = event.type === "pointerleave" ? undefined : this.squareOf(event.target);
    if (square === this.hovered) return;
    this.hovered = square;
    this.picture.mark({hover: new Set(square === undefined ? [] : this.chooser.lineOf(square))});
  }

  // --- Marks ---

  /** `source`, `target`, `line`, `chosen` and `hint` are sets of squares; `describe(square)` says what lies there. */
  mark(marks, describe) {
    this.picture.mark(marks);
    if (!this.press) this.picture.mark({hover: new Set()});
    this.draw(marks);
    const open = (square) => marks.source.has(square) || marks.target.has(square) || marks.line.has(square);
    let first;
    this.each((square, node) => {
      const says = marks.chosen.has(square) ? ", chosen" : marks.hint.has(square) ? ", hint" : open(square) ? ", can be chosen" : "";
      node.setAttribute("role", "button");
      node.setAttribute("aria-label", describe(square) + says);
      node.setAttribute("aria-pressed", String(marks.chosen.has(square)));
      node.setAttribute("aria-disabled", String(!open(square)));
      node.setAttribute("tabindex", "-1");
      if (first === undefined && open(square)) first = square;
    });
    const within = this.picture.node.contains(document.activeElement);
    this.focus(within || first === undefined ? this.focused : first);
  }

  /**
   * What is drawn over the squares, where no neighbour hides it: frames of squares, and a dot on each target, or a ring around
   * what lies there, for those who see no colours.
   */
  draw({source, target, hint}) {
    this.picture.layers.forEach((layer, number) => {
      const offset = number * this.picture.size;
      if (!layer.marks) {
        layer.marks = drawn("g", {class: "marks"});
        layer.pieces.after(layer.marks);
        layer.pieces.ownerSVGElement.setAttribute("role", "group");
      }
      const here = (squares) => [...squares].filter((square) => Math.floor(square / this.picture.size) === number);
      layer.marks.replaceChildren(
        ...here(source).map((square) => this.frame(square, "frame")),
        ...here(target).map((square) => this.dot(square, offset)),
        ...here(hint).map((square) => this.frame(square, "frame hint")));
    });
  }

  frame(square, name) {
    const frame = this.picture.nodeOf(square).cloneNode(false);
    for (const attribute of ["tabindex", "role", "aria-label", "data-square"]) frame.removeAttribute(attribute);
    frame.setAttribute("class", name);
    return frame;
  }

  dot(square, offset) {
    const [x, y] = this.picture.centre(square - offset);
    const taken = this.chooser.thingsOn(square).length > 0;
    return drawn("circle", {class: taken ? "dot-ring" : "dot-free", cx: x, cy: y, r: taken ? kUnit * 0.44 : kUnit * 0.13});
  }

  each(action) {
    this.picture.layers.forEach((layer, number) => {
      for (const [index, node] of layer.squares) action(number * this.picture.size + index, node);
    });
  }

  // --- Keyboard ---

  /** One square can be reached by Tab; the arrows go on from it. */
  focus(square) {
    const before = this.picture.nodeOf(this.focused);
    const node = square === undefined ? undefined : this.picture.nodeOf(square);
    if (!node) return;
    if (before) before.setAttribute("tabindex", "-1");
    this.focused = square;
    node.setAttribute("tabindex", "0");
  }

  key(event) {
    const steps = {ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0]};
    const square = this.squareOf(event.target);
    if (square === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key in steps) this.step(square, ...steps[event.key]);
    else if (event.key === "Enter" || event.key === " ") this.chooser.click(square);
    else if (event.key === "Escape") this.chooser.clear();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** To the next square that way; beyond the edge, to the neighbouring layer. */
  step(square, down, right) {
    const {rows, columns} = this.picture.game;
    let [layer, index] = [Math.floor(square / this.picture.size), square % this.picture.size];
    let [row, column] = [Math.floor(index / columns.length), index % columns.length];
    for (let tries = 0; tries < this.picture.size * this.picture.layers.length; ++tries) {
      row += down;
      column += right;
      if (row < 0 || column < 0 || row >= rows.length || column >= columns.length) {
        layer += down + right;
        if (layer < 0 || layer >= this.picture.layers.length) return;
        row = (row + rows.length) % rows.length;
        column = (column + columns.length) % columns.length;
      }
      const node = this.picture.nodeOf(layer * this.picture.size + row * columns.length + column);
      if (node) return node.focus();
    }
  }
}
