// SPDX-License-Identifier: MIT
// The manager's page of matches with pages. It is no file of `web/page`: it is a part of
// `page_stage.cpp`, which drives it, and nobody looks at it.
#pragma once

#include <string_view>

namespace ludens::server {

/// `manager.ask(PLAYER, CONTENT)` is a promise of {"answer": content of the answer, "unasked": how
/// many messages answered nothing since the last one}; `manager.forget()` stops waiting and returns
/// that number; `manager.tell(PLAYER, CONTENT)` does not wait. Each message has its own name.
inline constexpr std::string_view kManagerPage = R"HTML(<!doctype html><html lang="en"><head>
<meta charset="utf-8"><link rel="icon" href="data:,"><title>manager</title></head><body><script>
"use strict";
class Manager {
  constructor() {
    this.last = Date.now() % 1000000 * 1000;
    this.forget();
    addEventListener("storage", ({key, newValue}) => {
      if (key === "manager" && newValue !== null) this.hear(newValue);
    });
  }

  hear(text) {
    const parts = /^\s*message\(\s*([^,()]+?)\s*,\s*([^,()]+?)\s*,\s*manager\s*,([^]*)\)\s*$/.exec(text);
    const wanted = this.wanted;
    if (!parts || !wanted || parts[1] !== wanted.id || parts[2] !== wanted.player) return void ++this.unasked;
    this.wanted = null;
    wanted.resolve({answer: parts[3].trim(), unasked: this.forget()});
  }

  forget() {
    const unasked = this.unasked;
    this.unasked = 0;
    this.wanted = null;
    return unasked;
  }

  tell(player, content) {
    const id = String(++this.last);
    localStorage.setItem(player, `message(${id},manager,${player},${content})`);
    return id;
  }

  ask(player, content) {
    return new Promise((resolve) => {
      const id = String(this.last + 1);
      this.wanted = {id, player, resolve};
      this.tell(player, content);
    });
  }
}
const manager = new Manager();
</script></body></html>)HTML";

}  // namespace ludens::server
