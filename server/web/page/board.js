// SPDX-License-Identifier: MIT
// The states of a match, and the picture of one on its board. The documents that are drawn are
// described in server/web/match_document.h.
"use strict";

/** An element with attributes, properties (`onclick`), and children (elements or texts). */
function element(name, attributes = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    if (key.startsWith("on")) node[key] = value;
    else if (key === "style") node.style.cssText = value;  // as an attribute a content policy may forbid it
    else node.setAttribute(key, value === true ? "" : value);
  }
  node.append(...children.filter((child) => child !== undefined && child !== null));
  return node;
}

function drawn(name, attributes = {}, ...children) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) node[key] = value;
    else if (value !== undefined) node.setAttribute(key, value);
  }
  node.append(...children);
  return node;
}

/** `( move a 2 a 3 )` as people read it; `move(a,2,a,3)` of HRF as it is. */
function plainMove(move) {
  return move.replace(/^\( (.*) \)$/, "$1");
}

/** Whether a move says more than its name. */
function saysMore(move) {
  return /[ (]/.test(plainMove(move));
}

/** The roles that do something; the others wait, as in `noop`: one word while somebody's move says more. */
function movers(moves) {
  const all = moves.map((_, role) => role);
  const said = all.filter((role) => saysMore(moves[role]));
  if (moves.length > 1 && said.length > 0) return said;
  return all.filter((role) => moves[role] !== "" && (moves[role] !== "noop" || moves.length === 1));  // "": not known
}

/** Text of an address, which people may have typed: as it is where its percent signs mean nothing. */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function seconds(ms) {
  if (ms === undefined) return "";
  return ms < 10 ? "" : ms < 9950 ? (ms / 1000).toFixed(ms < 995 ? 2 : 1) + " s" : Math.round(ms / 1000) + " s";
}

// --- States ---------------------------------------------------------------------------------------

/** The states of a match, each whole, made of the steps' differences as they come. */
class States {
  constructor(game, steps) {
    this.game = game;
    this.list = [];
    for (const step of steps) this.add(step);
  }

  add(step) {
    const last = this.list[this.list.length - 1];
    const state = {
      things: (last ? last.things : this.game.things).concat(step.things || []),
      layers: (last ? last.layers : []).concat(step.layers || []),
      cells: new Map(last ? last.cells : []),
      controls: step.controls || (last ? last.controls : []),
      lines: step.lines || (last ? last.lines : []),
      between: step.between || (last ? last.between : []),
      facts: new Map(last ? last.facts : []),
      marked: [],  // squares of the last move that can be seen
    };
    for (const [square, things] of step.cells || []) {
      if (things.length > 0) state.cells.set(square, things);
      else state.cells.delete(square);
    }
    if (last) {
      state.marked = step.marked || (step.cells || []).map(([square]) => square);
      if (state.marked.length === 0 && !step.marked) state.marked = last.marked;
    }
    for (const [name, members] of step.facts || []) {
      if (members.length > 0) state.facts.set(name, members);
      else state.facts.delete(name);
    }
    this.list.push(state);
  }
}

/** What a role may believe, as a state: whatever is not sure has its `chance` in percent. */
function believedState(state, belief) {
  const cells = new Map(belief.cells.map(([square, things]) => [square, things]));
  const facts = new Map(belief.facts.map(([name, members]) => [name, members.map(([text, chance]) => ({text, chance}))]));
  return {things: state.things, layers: state.layers, cells, controls: belief.controls, lines: belief.lines,
          between: [], facts, marked: []};
}

/** What lies on a square to be seen; of a belief with its chance. */
function thingsOn(state, square) {
  return (state.cells.get(square) || [])
    .map((thing) => Array.isArray(thing) ? {...state.things[thing[0]], chance: thing[1]} : state.things[thing])
    .filter((thing) => thing.shape !== "nothing");
}

/** `50 %` for things that are not sure. */
function chanceText(chance) {
  return chance === undefined || chance >= 100 ? "" : `${chance} %`;
}

// --- Boards ---------------------------------------------------------------------------------------

const kUnit = 48;         // the side of a square
const kRowOfHexagons = Math.sqrt(3) / 2;

/** Draws a board once, and then whatever lies on it. */
class BoardPicture {
  constructor(game) {
    this.game = game;
    this.node = element("div", {class: "boards"});
    this.layers = [];  // [{squares, pieces}] by layer
    this.holes = new Set(game.holes);
    this.tints = new Map(game.tints);
    // Checkers: only the squares of one colour are used, and the others belong to the picture.
    const colours = new Set(game.holes.map((hole) => (Math.floor(hole / game.columns.length) + hole % game.columns.length) % 2));
    this.holesShown = game.chequered && colours.size === 1;
  }

  get size() { return this.game.rows.length * this.game.columns.length; }

  /** The upper left corner of a square. */
  place(row, column) {
    const game = this.game;
    const block = (index) => game.block ? Math.floor(index / game.block) * 5 : 0;
    const pitch = game.hexagons ? kUnit * kRowOfHexagons : kUnit;
    const shift = game.shift.length > 0 ? game.shift[row] * kUnit / 2 : 0;
    return [column * kUnit + shift + block(column), row * pitch + block(row)];
  }

  addLayer(title) {
    const {rows, columns} = this.game;
    const margin = 22;
    const offset = this.layers.length * this.size;
    const squares = drawn("g"), pieces = drawn("g", {class: "pieces"}), labels = drawn("g", {class: "labels"});
    let width = 0, height = 0;
    const layer = {squares: new Map(), pieces};
    for (let row = 0; row < rows.length; ++row) {
      for (let column = 0; column < columns.length; ++column) {
        const index = row * columns.length + column;
        const [x, y] = this.place(row, column);
        width = Math.max(width, x + kUnit);
        height = Math.max(height, y + (this.game.hexagons ? kUnit / kRowOfHexagons : kUnit));
        if (this.holes.has(index) && !this.holesShown) continue;
        const node = this.square(row, column, x, y);
        node.dataset.square = offset + index;
        if (this.tints.has(index)) node.style.setProperty("--tint", `var(--${this.tints.get(index)})`);
        node.classList.toggle("tinted", this.tints.has(index));
        layer.squares.set(index, node);
        squares.append(node);
      }
    }
    this.label(labels, height);
    const above = this.game.top.length > 0 ? margin : 4;
    const svg = drawn("svg", {
      viewBox: `${-margin} ${-above} ${width + margin + 4} ${height + margin + above}`,
      role: "img", "aria-label": title || "board", class: "board",
    }, squares, labels, pieces);
    this.layers.push(layer);
    // Small boards are drawn larger, several layers smaller.
    const most = title ? 260 : 560;
    const style = `--width:${Math.round(Math.max(title ? 150 : 240, Math.min(most, 1.4 * (width + margin))))}px`;
    this.node.append(element("figure", {style}, title ? element("figcaption", {}, title) : null, svg));
  }

  square(row, column, x, y) {
    const dark = this.game.chequered && (this.game.rows.length - 1 - row + column) % 2 === 0;
    const shade = dark ? "square dark" : "square";
    if (this.game.dots) return drawn("circle", {class: "square point", cx: x + kUnit / 2, cy: y + kUnit / 2, r: kUnit / 8});
    if (!this.game.hexagons) {
      return drawn("rect", {class: shade, x, y, width: kUnit, height: kUnit});
    }
    const half = kUnit / 2, high = kUnit / kRowOfHexagons;
    const corners = [[half, 0], [kUnit, high / 4], [kUnit, high * 3 / 4], [half, high], [0, high * 3 / 4], [0, high / 4]];
    return drawn("polygon", {class: shade, points: corners.map(([a, b]) => `${x + a},${y + b}`).join(" ")});
  }

  label(labels, height) {
    const {rows, columns, top, shift} = this.game;
    const middle = this.game.hexagons ? kUnit / kRowOfHexagons / 2 : kUnit / 2;
    const firstOf = (row) => {
      let column = 0;
      while (column + 1 < columns.length && this.holes.has(row * columns.length + column)) ++column;
      return column;
    };
    const ragged = shift.length > 0 && this.holes.size > 0;
    rows.forEach((name, row) => {
      const [x, y] = this.place(row, ragged ? firstOf(row) : 0);
      labels.append(drawn("text", {x: shift.length > 0 ? x - 8 : -8, y: y + middle}, this.shortName(name)));
    });
    if (ragged) return;  // columns are not straight
    for (const [names, y] of [[columns, height + 11], [top, -11]]) {
      names.forEach((name, column) => {
        const [x] = this.place(rows.length - 1, column);
        const size = name.length > 6 ? Math.max(7, 76 / name.length) : undefined;
        const label = drawn("text", {x: x + kUnit / 2, y}, name);
        if (size) label.style.fontSize = `${size}px`;
        labels.append(label);
      });
    }
  }

  shortName(name) { return name.length > 3 && !this.game.block ? name.slice(0, 3) : name; }

  show(state) {
    while (this.layers.length < Math.max(state.layers.length, this.size > 0 ? 1 : 0)) {
      this.addLayer(state.layers[this.layers.length] || "");
    }
    const marked = new Set(state.marked);
    this.layers.forEach((layer, number) => {
      layer.pieces.replaceChildren(...this.lines(state));
      const offset = number * this.size;
      for (const [index, node] of layer.squares) node.classList.toggle("changed", marked.has(offset + index));
      for (let index = 0; index < this.size; ++index) {
        this.put(layer.pieces, index, thingsOn(state, offset + index));
      }
    });
  }

  /** Walls, links and what lies between squares: coordinates are half squares. */
  lines(state) {
    const at = (half) => half * kUnit / 2;
    const lines = state.lines.map(([x1, y1, x2, y2, link]) =>
      drawn("line", {class: link ? "link" : "wall", x1: at(x1), y1: at(y1), x2: at(x2), y2: at(y2)}));
    return lines.concat(state.between.map(([x, y, thing]) => drawThing(state.things[thing], at(x), at(y), 0.7)));
  }

  /** Of a square of any layer. */
  centre(index) {
    const columns = this.game.columns.length;
    const [x, y] = this.place(Math.floor(index / columns), index % columns);
    return [x + kUnit / 2, y + (this.game.hexagons ? kUnit / kRowOfHexagons / 2 : kUnit / 2)];
  }

  put(pieces, index, things) {
    if (things.length === 0) return;
    const centre = this.centre(index);
    const rank = {tile: 0, text: 1, disc: 2, chess: 2, cross: 2, ring: 3};
    // Things that would hide each other are drawn side by side.
    const stones = things.filter((thing) => rank[thing.shape] === 2 || thing.shape === "text");
    for (const thing of things.slice().sort((a, b) => rank[a.shape] - rank[b.shape])) {
      const among = stones.indexOf(thing), several = stones.length > 1 && among >= 0;
      const angle = several ? 2 * Math.PI * among / stones.length + Math.PI : 0;
      const away = several ? kUnit * 0.2 : 0;
      pieces.append(drawThing(thing, centre[0] + away * Math.cos(angle), centre[1] + away * Math.sin(angle),
                              several ? 0.6 : 1));
    }
  }

  /** The node of a square; undefined where the board has a hole. */
  nodeOf(square) {
    const layer = this.layers[Math.floor(square / this.size)];
    return layer && layer.squares.get(square % this.size);
  }

  /** Squares by class name. */
  mark(classes) {
    this.layers.forEach((layer, number) => {
      for (const [index, node] of layer.squares) {
        for (const [name, squares] of Object.entries(classes)) {
          node.classList.toggle(name, squares.has(number * this.size + index));
        }
      }
    });
  }
}

/** Less likely things are fainter; with a small percentage if they are not sure. */
function drawThing(thing, x, y, scale) {
  const chance = chanceText(thing.chance);
  if (chance === "") return drawSure(thing, x, y, scale);
  const node = drawSure({...thing, name: `${thing.name} ${chance}`}, x, y, scale);
  node.setAttribute("opacity", 0.2 + 0.8 * thing.chance / 100);
  return drawn("g", {class: "likely"}, node,
               drawn("text", {class: "chance", x, y: y + kUnit * (scale < 1 ? 0.21 : 0.38)}, String(thing.chance)));
}

function drawSure(thing, x, y, scale) {
  const size = kUnit * scale;
  const node = drawn("g", {class: `thing ${thing.shape} of-${thing.colour}`}, drawn("title", {}, thing.name));
  const text = (content, height) =>
    drawn("text", {x, y, "font-size": Math.min(height, 1.5 * height / Math.max(1, [...content].length)) * size}, content);
  switch (thing.shape) {
    case "disc":
      node.append(drawn("circle", {cx: x, cy: y, r: size * 0.37 * (thing.size || 1)}));
      if (thing.text) node.append(text(thing.text, 0.42));
      break;
    case "ring":
      node.append(drawn("circle", {cx: x, cy: y, r: size * 0.31}));
      break;
    case "cross": {
      const a = size * 0.28;
      node.append(drawn("path", {d: `M${x - a} ${y - a}L${x + a} ${y + a}M${x - a} ${y + a}L${x + a} ${y - a}`}));
      break;
    }
    case "chess":
      node.append(text(thing.text + "\uFE0E", 0.8));
      break;
    case "tile": {
      const width = size * 0.92 * (thing.size || 1) - size * 0.08;
      node.append(drawn("rect", {x: x - width / 2, y: y - size * 0.42, width, height: size * 0.84, rx: size * 0.1}));
      if (thing.text) node.append(text(thing.text, 0.46));
      break;
    }
    default:
      node.append(text(thing.text, 0.56));
  }
  return node;
}

const kIcons = {
  first: "M4 4v16M20 4L8 12l12 8z", back: "M17 4L6 12l11 8z", play: "M7 4l12 8-12 8z",
  pause: "M8 4v16M16 4v16", forward: "M5 4l6 8-6 8zM13 4l6 8-6 8z", last: "M4 4l12 8-12 8zM20 4v16",
};

function drawIcon(name) {
  return drawn("svg", {class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true"}, drawn("path", {d: kIcons[name]}));
}
