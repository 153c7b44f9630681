// SPDX-License-Identifier: MIT
// Rules that people write or paste, and what can be said about them.
"use strict";

/** `changed()` is called after the text has changed. */
class RulesField {
  constructor(changed) {
    this.changed = changed;
    this.area = element("textarea", {id: "rules", rows: 16, spellcheck: "false", wrap: "off", oninput: changed, "aria-label": "rules",
                                     placeholder: "Rules in the Game Description Language, prefix or as on Gamemaster"});
    this.file = element("input", {type: "file", "aria-label": "file of rules", onchange: () => this.read()});
    this.findings = element("ol", {id: "findings", "aria-label": "findings"});
    this.node = element("div", {}, this.area, element("p", {}, this.file), this.findings);
  }

  get text() { return this.area.value; }

  async read() {
    const [file] = this.file.files;
    if (file) this.area.value = await file.text();
    this.changed();
  }

  /** What the program says of the rules: {diagnostics, more: how many it left out}. A click goes to the place. */
  show({diagnostics = [], more = 0}) {
    const entry = (found) => element("li", {},
      element("button", {type: "button", class: "finding", onclick: () => this.go(found)},
              element("span", {class: "faint"}, `line ${found.line} `), element("b", {class: found.severity === "note" ? "faint" : "severe"}, found.severity), ` ${found.text}`));
    this.findings.replaceChildren(...diagnostics.map(entry), ...(more > 0 ? [element("li", {class: "faint"}, `and ${more} more`)] : []));
  }

  /** Selects the rest of the line, behind the place. */
  go({line, column}) {
    const lines = this.text.split("\n");
    const before = lines.slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0);
    const end = before + (lines[line - 1] || "").length;
    this.area.focus();
    this.area.setSelectionRange(Math.min(before + column - 1, end), end);
    const height = parseFloat(getComputedStyle(this.area).lineHeight);
    this.area.scrollTop = Math.max(0, (line - 4) * height);
    this.area.scrollLeft = 0;
  }
}
