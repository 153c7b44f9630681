// SPDX-License-Identifier: MIT
// The viewer that goes through a match: a board, what the rest of the state says, and the moves.
"use strict";

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

/** How a match ended. */
function resultText({roles, end}) {
  return end.completed ? "Goals: " + roles.map((role, index) => `${role.name} ${end.goals[index]}`).join(", ") + "."
                       : `No result: ${end.reason}.`;
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
    this.ending.replaceChildren(...(end ? [resultText(this.match)] : []),
                                ...((end && end.warnings) || []).map((w) => element("p", {class: "warning"}, w)));
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
