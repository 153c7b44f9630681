// SPDX-License-Identifier: MIT
// A small venue: a manager's page and a player's page of one origin, as Gamemaster has them.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

#include "server/browser/browser.h"
#include "server/gamemaster/page.h"
#include "server/http/server.h"
#include "tests/gdl/hrf/line_rules.h"

namespace ludens::server {

/// The manager's page plays one match of three in a row with a player whose page it shows: `run`
/// returns a promise of what came of it,
/// {"goal","errors":[..],"answers":N}. It says what Gamemaster's manager says, when that says it:
/// one message at a time with a name of its own, answers by that name within the clock, a pause
/// between two plays, and STOP at once when the last move is made, which may be the other player's
/// right behind a play. It sends no play once `limit` moves were made. The player's page has the
/// fragment of its own address.
inline constexpr const char* kManagerPage = R"HTML(<!doctype html><html><head><meta charset="utf-8">
<link rel="icon" href="data:,"><title>manager</title></head>
<body><iframe id="player" width="900" height="700"></iframe><script>
"use strict";
document.getElementById("player").src = "/roster/ludens.html" + location.hash;
const rules = RULES;
const lines = [[0,1,2],[3,4,5],[6,7,8],[0,3,6],[1,4,7],[2,5,8],[0,4,8],[2,4,6]];
const kOther = 20;     // ms that the other player takes
const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
let last = 100, wanted = null;
const errors = [];
window.limit = 9;
window.asked = [];      // names of messages that want an answer
addEventListener("storage", ({key, newValue}) => {
  if (key !== "manager" || !newValue) return;
  const parts = /^message\(([^,]+),([^,]+),manager,(.*)\)$/.exec(newValue);
  if (!parts) errors.push("no message: " + newValue);
  else if (wanted && parts[1] === wanted.id && parts[2] === "ludens") wanted.answer(parts[3]);
  else window.stray = newValue;
});
function send(content) {
  const id = String(++last);
  localStorage.setItem("ludens", `message(${id},manager,ludens,${content})`);
  return id;
}
/** The answer to a message, or null if there is none in time. */
async function ask(content, seconds) {
  const answered = new Promise((answer) => { wanted = {id: String(last + 1), answer}; });
  window.asked.push(send(content));
  const answer = await Promise.race([answered, sleep(seconds * 1000).then(() => null)]);
  wanted = null;
  if (answer === null) errors.push("no answer in time to " + content.slice(0, 40));
  return answer;
}
async function run(role, start, play, pause, seed) {
  const random = (n) => (seed = (seed * 1103515245 + 12345) % 2147483648, seed % n);
  if (await ask("ping()", 60) !== "ready") errors.push("not ready after ping()");
  if (await ask(`start(${role},ruleset(${rules}),${start},${play})`, start) !== "ready") errors.push("not ready");
  const board = Array(9).fill("b");
  const won = (side) => lines.some((line) => line.every((square) => board[square] === side));
  let told = "[]", turn = "x", answers = 0;
  window.moves = [];
  const over = () => won("x") || won("o") || !board.includes("b");
  for (;;) {
    const free = board.map((side, square) => side === "b" ? square : -1).filter((square) => square >= 0);
    let square = free[random(free.length)];
    let stray = null;
    while (window.moves.length >= window.limit) await sleep(20);
    if (turn === role) {
      const answer = await ask(`play(${told})`, play);
      const parts = /^mark\(([123]),([123])\)$/.exec(answer || "");
      const chosen = parts ? 3 * (parts[1] - 1) + (parts[2] - 1) : -1;
      if (free.includes(chosen)) { square = chosen; ++answers; }
      else errors.push("illegal: " + answer);
    } else {
      window.stray = null;
      stray = `message(${send(`play(${told})`)},`;
      await sleep(kOther);
    }
    board[square] = turn;
    told = `mark(${Math.floor(square / 3) + 1},${square % 3 + 1})`;
    window.moves.push(told);
    turn = turn === "x" ? "o" : "x";
    if (over()) break;
    await sleep(pause);
    if (stray && window.stray && window.stray.startsWith(stray)) errors.push("an answer out of turn: " + window.stray);
  }
  send(`stop(${told})`);
  const other = role === "x" ? "o" : "x";
  return {goal: won(role) ? 100 : won(other) ? 0 : 50, errors, answers};
}
</script></body></html>)HTML";

/// Loads the player's page anew while no play is sent: the storage has the last message only, so
/// what is sent meanwhile would be lost.
inline void reload_player(Browser& browser) {
  browser.evaluate("window.limit = 0");
  browser.evaluate("frames[0].ludens.left = true, frames[0].location.reload()");
  if (!browser.wait_until("(({ludens}) => ludens && !ludens.left && ludens.worker)(frames[0])")) {
    throw std::runtime_error("the player's page does not load");
  }
  browser.evaluate("window.limit = 9");
}

/// Serves the two pages on loopback.
class Venue {
 public:
  /// `rules` in HRF, on one line. `page`: the player's; empty: that of `serve --gamemaster`.
  explicit Venue(const std::string& rules, std::string page = {})
      : manager_(kManagerPage), page_(std::move(page)) {
    manager_.replace(manager_.find("RULES"), 5, "\"" + rules + "\"");
    HttpLimits limits;
    limits.audience = Audience::Browsers;
    server_ =
        std::make_unique<HttpServer>(context_, limits, [this](HttpRequest request, Respond r) {
          const std::string target = request.head.target.substr(0, request.head.target.find('?'));
          if (target == "/manager.html") return r({200, "text/html; charset=utf-8", manager_, {}});
          if (target == "/roster/ludens.html") {
            return r({200,
                      "text/html; charset=utf-8",
                      page_.empty() ? gamemaster_page(origin()) : page_,
                      {}});
          }
          r({404, "text/plain", "not found\n", {}});
        });
    if (const auto problem = server_->listen("127.0.0.1", 0)) throw std::runtime_error(*problem);
    port_ = server_->port();
    thread_ = std::jthread([this] { context_.run(); });
  }
  ~Venue() {
    boost::asio::post(context_, [this] {
      server_.reset();
      context_.stop();
    });
  }
  Venue(const Venue&) = delete;
  Venue& operator=(const Venue&) = delete;

  [[nodiscard]] std::string origin() const { return "http://127.0.0.1:" + std::to_string(port_); }

 private:
  std::string manager_;
  const std::string page_;
  boost::asio::io_context context_{1};
  std::unique_ptr<HttpServer> server_;
  std::uint16_t port_ = 0;
  std::jthread thread_;
};

}  // namespace ludens::server
