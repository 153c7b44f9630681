// SPDX-License-Identifier: MIT
// Who plays a role: a choice in the form in front of a match.
"use strict";

/** `seat` in the words of server/wasm/engine.h; `changed()` is called after another choice. */
class SeatField {
  constructor(role, kind, changed) {
    this.role = role;
    this.changed = changed;
    this.kind = element("select", {"aria-label": `who plays ${role}`, onchange: () => this.choose()},
      element("option", {value: "person"}, "you"), element("option", {value: "program"}, "Ludens"),
      element("option", {value: "page"}, "a page in another tab"));
    this.seconds = element("select", {"aria-label": `seconds for ${role}`},
      ...[1, 3, 10, 30, 60].map((s) => element("option", {value: String(1000 * s)}, `${s} s`)));
    this.strategy = element("input", {size: 24, list: "strategies", placeholder: "auto", autocomplete: "off", spellcheck: "false",
                                      "aria-label": `strategy for ${role}`});
    this.page = element("input", {size: 14, pattern: "[A-Za-z0-9_]+", autocomplete: "off", spellcheck: "false",
                                  "aria-label": `identifier of the player for ${role}`, oninput: () => this.name()});
    this.page.value = role.replace(/[^A-Za-z0-9_]/g, "").toLowerCase() || "player";
    this.open = element("a", {target: "_blank"}, "open Ludens as this one");
    this.program = element("span", {}, element("label", {}, "thinks ", this.seconds), " ", element("label", {}, "by ", this.strategy));
    this.other = element("span", {}, element("label", {}, "identifier ", this.page), " ", this.open);
    this.node = element("div", {class: "seat"}, element("b", {}, role), this.kind, this.program, this.other);
    this.kind.value = kind;
    this.name();
    this.choose();
  }

  get isPage() { return this.kind.value === "page"; }

  get seat() {
    if (this.kind.value === "person") return {person: true, ms: Number(this.seconds.value)};
    if (this.isPage) return {page: this.page.value};
    return {strategy: this.strategy.value.trim(), ms: Number(this.seconds.value)};
  }

  choose() {
    this.program.hidden = this.kind.value !== "program";
    this.other.hidden = !this.isPage;
    this.page.required = this.isPage;
    this.changed();
  }

  name() { this.open.href = `#player=${this.page.value}`; }
}
