// SPDX-License-Identifier: MIT
// The picture of a position, and the viewer that goes through a match. The documents that are drawn
// are described in server/web/match_document.h.
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

// --- The rest of a position -----------------------------------------------------------------------

const kMostFacts = 80;  // of a group

function controlChips(state, roles) {
  return state.controls.map(([name, text, colour, chance]) => {
    const role = roles.some((r) => r.name.toLowerCase() === text);
    return element("span", {class: "chip"}, role ? element("i", {class: `dot of-${colour}`}) : null,
                   element("small", {}, name), " ", element("b", {}, text),
                   chanceText(chance) && element("small", {}, "\u00a0" + chanceText(chance)));
  });
}

function factGroups(state) {
  const groups = element("dl", {class: "facts"});
  for (const [name, members] of state.facts) {
    const list = element("dd", {});
    for (const member of members.slice(0, kMostFacts)) {
      const {text, chance} = typeof member === "string" ? {text: member} : member;
      list.append(element("span", {}, text || "true", chanceText(chance) && element("small", {}, " " + chanceText(chance))));
    }
    if (members.length > kMostFacts) list.append(`and ${members.length - kMostFacts} more`);
    groups.append(element("dt", {}, name), list);
  }
  return groups;
}

/** How many histories a role can't distinguish. */
function beliefNote(belief, role) {
  const count = belief.exact ? belief.histories : `at least ${belief.histories}`;
  const fit = belief.histories === 1 ? `${count} history fits` : `${count} histories fit`;
  return element("p", {class: "belief faint"},
                 `${fit} what ${role.name} knows; percentages are for others who move by chance.`);
}

/** What roles perceived of the joint move that led here, where information is hidden; of one role, or of all. */
function perceptGroups(step, roles, sight) {
  const groups = element("dl", {class: "facts percepts"});
  (step.percepts || []).forEach((percepts, role) => {
    if (sight !== undefined && sight !== role) return;
    const list = element("dd", {}, ...percepts.map((percept) => element("span", {}, plainMove(percept))));
    if (percepts.length === 0) list.append(element("span", {class: "idle"}, "nothing"));
    groups.append(element("dt", {}, `${roles[role].name} perceives`), list);
  });
  return groups;
}

// --- The viewer -----------------------------------------------------------------------------------

/** Shows one match and steps through it; follows its end unless a person looks at another step. */
class Viewer {
  /** `panel` is shown beside the board; `onShow(step)` is called when another position is shown. */
  constructor(game, match, {panel, onShow} = {}) {
    this.match = match;
    this.panel = panel;
    this.states = new States(game, match.steps);
    this.board = new BoardPicture(game);
    this.onShow = onShow || (() => {});
    this.hidden = game.hidden === true;
    this.sight = match.sight;  // the only role whose knowledge is shown; undefined: everything
    this.at = -1;
    this.timer = null;
    this.build();
    this.show(this.last);
  }

  get last() { return this.states.list.length - 1; }

  build() {
    this.players = element("div", {class: "players"});
    this.chips = element("div", {class: "chips"});
    this.facts = element("div", {class: "rest"});
    this.rows = element("tbody");
    this.position = element("output", {class: "position"});
    this.slider = element("input", {type: "range", min: 0, value: 0, "aria-label": "step",
                                    oninput: () => this.go(Number(this.slider.value))});
    const button = (icon, label, action) =>
      element("button", {type: "button", title: label, "aria-label": label, onclick: action}, drawIcon(icon));
    this.player = button("play", "play (space)", () => this.togglePlay());
    this.head = element("thead");
    this.chart = element("div", {class: "chart"});
    this.node = element("section", {class: "viewer", tabindex: 0, "aria-label": `match ${this.match.id}`,
                                    onkeydown: (event) => this.key(event)},
      element("div", {class: "stage"},
        this.players, this.sights(), this.chips, this.board.node,
        element("div", {class: "buttons"},
          button("first", "first position (Home)", () => this.go(0)),
          button("back", "back (←)", () => this.go(this.at - 1)),
          this.player,
          button("forward", "forward (→)", () => this.go(this.at + 1)),
          button("last", "last position (End)", () => this.go(this.last)),
          this.slider, this.position)),
      element("div", {class: "side"},
        this.panel, this.chart,
        element("div", {class: "moves"}, element("table", {}, this.head, this.rows)),
        this.ending = element("div", {class: "ending"})),
      this.facts);
    if (this.panel) this.node.classList.add("played");
    this.inTurn = this.match.roles.length > 1;
    this.fillRows();
    this.showPlayers();
    this.drawChart();
  }

  /** If information is hidden: everything, or what one role knows. No choice if the match has no more data. */
  sights() {
    if (!this.hidden || this.match.sight !== undefined) return null;
    const select = element("select", {"aria-label": "whose knowledge is shown", onchange: () => this.look(select.value)},
      element("option", {value: ""}, "everything"),
      ...this.match.roles.map((role, index) => element("option", {value: String(index)}, `what ${role.name} knows`)));
    return element("label", {class: "sights"}, "Shown: ", select);
  }

  look(value) {
    this.sight = value === "" ? undefined : Number(value);
    this.fillRows();
    this.show(this.at);
  }

  /** One more state, while the match is played. */
  add(step) {
    const follows = this.at === this.last;
    this.match.steps.push(step);
    this.states.add(step);
    this.addRow(step, this.last);
    this.drawChart();
    if (follows) return this.show(this.last);
    this.showPlace();
    this.onShow(this.at);
  }

  end(end) {
    this.match.end = end;
    this.showPlayers();
    if (this.at === this.last) this.show(this.at);
  }

  /** The table of moves: one column for all roles while they move in turn, otherwise one for each. */
  fillRows() {
    const roles = this.match.roles;
    this.inTurn = this.inTurn && this.match.steps.every((step) => !step.moves || movers(step.moves).length <= 1);
    const dot = (role) => element("i", {class: `dot of-${role.colour}`, title: role.name});
    const titles = this.sight !== undefined ? [element("th", {}, dot(roles[this.sight]), roles[this.sight].name), element("th", {}, "perceives")]
                 : this.inTurn ? [element("th", {}, "move")] : roles.map((role) => element("th", {}, dot(role), role.name));
    this.head.replaceChildren(element("tr", {}, element("th", {}, "#"), ...titles));
    this.rows.replaceChildren();
    this.match.steps.forEach((step, number) => this.addRow(step, number));
  }

  addRow(step, number) {
    if (number === 0) return;
    const busy = movers(step.moves);
    if (this.sight !== undefined) return this.addKnown(step, number, busy);
    if (this.inTurn && busy.length > 1) return this.fillRows();  // with this step
    const cells = this.inTurn ? [element("td", {}, ...this.turnOf(step, busy))]
                              : step.moves.map((_, role) => element("td", {}, ...this.moveOf(step, role, busy.includes(role))));
    this.rows.append(element("tr", {onclick: () => this.go(number)}, element("td", {}, String(number)), ...cells));
  }

  /** What the role whose knowledge is shown did and perceived. */
  addKnown(step, number, busy) {
    const percepts = (step.percepts || [])[this.sight] || [];
    this.rows.append(element("tr", {onclick: () => this.go(number)}, element("td", {}, String(number)),
      element("td", {}, ...this.moveOf(step, this.sight, busy.includes(this.sight))),
      element("td", {}, percepts.map(plainMove).join(", "))));
  }

  /** The move of the role that moved, and the faults of those that only waited. */
  turnOf(step, busy) {
    const dot = (role) => element("i", {class: `dot of-${this.match.roles[role].colour}`, title: this.match.roles[role].name});
    const shown = step.moves.map((_, role) => role).filter((role) => busy.includes(role) || (step.errors && step.errors[role]));
    if (shown.length === 0) return [element("span", {class: "idle"}, "–")];
    return shown.map((role) => element("div", {}, dot(role), ...this.moveOf(step, role, busy.includes(role))));
  }

  moveOf(step, role, busy) {
    const error = step.errors && step.errors[role], value = step.values && step.values[role];
    const notes = [seconds(step.ms && step.ms[role]), value === null || value === undefined ? "" : "≈" + Math.round(value)];
    const fault = error ? element("em", {title: "this move stands in for the player's: " + error}, error.split(" ")[0]) : null;
    if (!busy) return [element("span", {class: "idle", title: plainMove(step.moves[role])}, "·"), fault];
    return [element("span", {class: "move"}, plainMove(step.moves[role])), fault,
            element("span", {class: "note", title: "think time, and the goal expected"}, notes.filter(Boolean).join(" "))];
  }

  showPlayers() {
    const end = this.match.end;
    this.players.replaceChildren(...this.match.roles.map((role, index) => {
      const goal = end && end.completed ? end.goals[index] : undefined;
      return element("div", {class: "player" + (goal === 100 ? " won" : "")},
        element("i", {class: `dot of-${role.colour}`}),
        element("span", {class: "who"}, element("b", {}, role.name), element("small", {}, role.player)),
        // Its room is kept from the beginning, so that nothing moves when it is known.
        element("strong", {class: goal === undefined ? "goal unknown" : "goal", title: "goal"}, goal === undefined ? "100" : String(goal)));
    }));
    const texts = [];
    if (end) texts.push(end.completed ? "Goals: " + this.match.roles.map((r, i) => `${r.name} ${end.goals[i]}`).join(", ") + "."
                                      : `No result: ${end.reason}.`);
    this.ending.replaceChildren(...texts, ...((end && end.warnings) || []).map((w) => element("p", {class: "warning"}, w)));
  }

  go(step) {
    this.stop();
    this.show(Math.max(0, Math.min(this.last, step)));
  }

  show(step) {
    if (this.last < 0) return;
    this.at = step;
    const alone = this.sight !== undefined;
    const belief = alone ? (this.match.steps[step].beliefs || [])[this.sight] : null;
    const state = belief ? believedState(this.states.list[step], belief) : this.states.list[step];
    this.state = state;
    this.board.show(state);
    // A person plays on the board even if nothing is known about its content; a record's states are hidden.
    this.board.node.hidden = alone && !belief && this.match.sight === undefined;
    this.chips.replaceChildren(...(alone && !belief ? [] : controlChips(state, this.match.roles)));
    this.facts.replaceChildren(...(belief ? [beliefNote(belief, this.match.roles[this.sight])] : []),
                               ...(alone && !belief ? [] : [factGroups(state)]),
                               ...(this.hidden ? [perceptGroups(this.match.steps[step], this.match.roles, this.sight)] : []));
    const row = this.showPlace();
    if (row) {
      const list = row.closest(".moves");
      const top = row.offsetTop - list.clientHeight / 2;
      list.scrollTop = top;
    }
    this.onShow(step);
  }

  /** Says which of the positions is shown; returns the row of the moves that led to it. */
  showPlace() {
    this.slider.max = this.last;
    this.slider.value = this.at;
    this.position.textContent = `${this.at} / ${this.last}`;
    if (this.cursor) this.cursor.setAttribute("x", this.cursorAt(this.at));
    for (const row of this.rows.querySelectorAll(".here")) row.classList.remove("here");
    const row = this.rows.children[this.at - 1];
    if (row) row.classList.add("here");
    return row;
  }

  /** Also of keys that are pressed elsewhere on the page, where all but two have a meaning of their own. */
  key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (!this.node.contains(event.target) && !/^Arrow(Left|Right)$/.test(event.key)) return;
    if (event.target !== this.slider && /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)) return;
    const steps = {ArrowLeft: this.at - 1, ArrowRight: this.at + 1, Home: 0, End: this.last,
                   PageUp: this.at - 10, PageDown: this.at + 10};
    if (event.key in steps) this.go(steps[event.key]);
    else if (event.key === " " && event.target.tagName !== "BUTTON") this.togglePlay();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  togglePlay() {
    if (this.timer) return this.stop();
    if (this.at === this.last) this.show(0);
    this.player.replaceChildren(drawIcon("pause"));
    this.timer = setInterval(() => {
      if (this.at < this.last) this.show(this.at + 1);
      if (this.at === this.last) this.stop();
    }, 600);
  }

  stop() {
    clearInterval(this.timer);
    this.timer = null;
    this.player.replaceChildren(drawIcon("play"));
  }

  cursorAt(step) { return this.last > 0 ? 300 * step / this.last - 1 : 0; }

  /** What players expected, by step; nothing if no player reported it. */
  drawChart() {
    const lines = this.match.roles.map((role, index) => {
      const points = [];
      this.match.steps.forEach((step, number) => {
        const value = step.values && step.values[index];
        if (value !== null && value !== undefined) points.push([300 * number / Math.max(1, this.last), 62 - 0.6 * value]);
      });
      return points.length < 2 ? null : drawn("polyline", {class: `line of-${role.colour}`, points: points.map((p) => p.map((v) => v.toFixed(1)).join()).join(" ")},
        drawn("title", {}, `goal that ${role.name} expects`));
    }).filter(Boolean);
    this.chart.replaceChildren();
    this.cursor = null;
    if (lines.length === 0) return;
    this.cursor = drawn("rect", {class: "cursor", x: this.cursorAt(this.at), y: 0, width: 2, height: 64});
    const svg = drawn("svg", {viewBox: "0 0 300 64", preserveAspectRatio: "none", role: "img", "aria-label": "goals expected",
      onclick: (event) => {
        const box = svg.getBoundingClientRect();
        this.go(Math.round(this.last * (event.clientX - box.left) / box.width));
      }}, drawn("line", {class: "middle", x1: 0, x2: 300, y1: 32, y2: 32}), this.cursor, ...lines);
    this.chart.append(element("small", {}, "goal expected, 0 to 100"), svg);
  }
}
