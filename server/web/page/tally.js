// SPDX-License-Identifier: MIT
// What each role of a match has so far: moves that were replaced, and its goal at the end.
"use strict";

/** `match` as in server/web/match_document.h. */
function tally(match) {
  const row = (role, index) => {
    const errors = match.steps.map((step) => step.errors && step.errors[index]).filter(Boolean).map((error) => error.split(" ")[0]);
    const kinds = [...new Set(errors)].map((kind) => `${errors.filter((other) => other === kind).length} ${kind}`);
    const goal = match.end && match.end.completed ? String(match.end.goals[index]) : "–";
    return element("tr", {}, element("td", {}, element("i", {class: `dot of-${role.colour}`}), role.name), element("td", {}, role.player),
                   element("td", {class: errors.length > 0 ? "severe" : "faint"}, kinds.join(", ") || "none"), element("td", {}, goal));
  };
  return element("table", {},
    element("thead", {}, element("tr", {}, ...["role", "player", "errors", "goal"].map((title) => element("th", {}, title)))),
    element("tbody", {}, ...match.roles.map(row)));
}
