// SPDX-License-Identifier: MIT
// Tests of the page on which people play.
#pragma once

#include <boost/json.hpp>
#include <filesystem>
#include <memory>
#include <string>

#include "tests/server/background_program.h"
#include "tests/web/page_test.h"

namespace ludens::server {

struct Window {
  int width = 1200, height = 900;
  bool dark = false;
};

/// `ludens play`, and a browser on its page.
class PlayTest : public PageTest {
 protected:
  /// Begins to follow `ludens play` in the browser.
  void play(const std::string& arguments, const Window& window) {
    records_ = folder_.path() / std::to_string(++matches_);
    program_ = std::make_unique<BackgroundProgram>("play " + arguments + " --no-browser --out '" +
                                                   records_.string() + "'");
    browser_->resize(window.width, window.height, window.dark);
    browser_->open(program_->wait_for("http://[0-9.:]+/[^ \n]*"));
  }

  /// True when it is the person's turn, false when the match has ended.
  bool wait_for_turn() {
    EXPECT_TRUE(browser_->wait_until(
        "window.live && live.entry && (live.turns.turn || live.entry.match.end)"));
    return browser_->evaluate("!live.entry.match.end") == boost::json::value(true);
  }

  /// Where the board is on the page: of all its layers, or of what replaces it.
  std::string board() {
    return text(
        "[...document.querySelectorAll('.boards, svg.board')].map((node) => {"
        " const b = node.getBoundingClientRect();"
        " return [b.left, b.top + scrollY, b.width, b.height].map(Math.round); })");
  }

  /// Moves the mouse to the middle of an element, which is scrolled to first, as people would.
  void point(const std::string& node) {
    const boost::json::value place =
        browser_->evaluate("(() => { const e = " + node +
                           "; e.scrollIntoView({block: 'nearest'});"
                           " const b = e.getBoundingClientRect(); return [b.left + b.width / 2, "
                           "b.top + b.height / 2]; })()");
    browser_->move_mouse(place.at(0).to_number<double>(), place.at(1).to_number<double>());
  }
  void click(const std::string& node) {
    point(node);
    browser_->press_mouse();
    browser_->release_mouse();
  }
  static std::string square(std::int64_t number) {
    return "document.querySelector('[data-square=\"" + std::to_string(number) + "\"]')";
  }

  std::filesystem::path records_;
  int matches_ = 0;
  std::unique_ptr<BackgroundProgram> program_;
};

}  // namespace ludens::server
