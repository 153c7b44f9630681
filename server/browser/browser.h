// SPDX-License-Identifier: MIT
// A headless Chromium, driven over its DevTools protocol.
#pragma once

#include <boost/json/value.hpp>
#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <vector>

namespace ludens::server {

/// The path of a Chromium on this machine; nullopt if there is none.
std::optional<std::string> find_chromium();

/// The browser has not answered within the patience. It may still do so later.
class BrowserTimeout : public std::runtime_error {
 public:
  BrowserTimeout() : std::runtime_error("the browser does not answer") {}
};

/// One page. Calls wait for their result and throw std::runtime_error if the browser misbehaves or
/// takes longer than `patience`, and once the page has crashed, until another is opened. Not
/// thread-safe.
class Browser {
 public:
  /// Opens a page in a browser of its own. A stop request, from any thread, ends the current call
  /// and all later ones, those of other tabs too, by an exception. `switches`: further ones of the
  /// command line.
  explicit Browser(const std::string& chromium, std::stop_token stop = {},
                   const std::vector<std::string>& switches = {});
  ~Browser();
  /// Another tab of the same browser, which ends with its last tab.
  std::unique_ptr<Browser> new_tab();

  void set_patience(std::chrono::milliseconds patience);
  /// Sets the answer to a page that asks for a text (`prompt`); other dialogs are confirmed.
  void set_prompt(std::string text);
  Browser(const Browser&) = delete;
  Browser& operator=(const Browser&) = delete;

  /// Returns when the page has loaded.
  void open(const std::string& url);
  /// The value of an expression; waits for promises. A stop request, from any thread, ends this
  /// wait alone, by BrowserTimeout.
  boost::json::value evaluate(const std::string& expression, const std::stop_token& stop = {});
  /// Errors on the console, requests that failed, and exceptions, since the page was opened; JSON.
  [[nodiscard]] const std::vector<std::string>& errors() const;
  /// The uncaught exceptions alone, as people read them: what was thrown and where.
  [[nodiscard]] const std::vector<std::string>& exceptions() const;

  // For tests of pages: the hands and eyes of a user.

  /// Waits until the expression is true; false if it is not within the time.
  bool wait_until(const std::string& expression, int most_seconds = 60);
  /// Makes this the visible tab; all others are in the background.
  void to_front();
  /// Emulates a screen of this size in pixels.
  void resize(int width, int height, bool dark);
  /// Presses and releases: `ArrowRight`, `Home`, `Tab`, `Enter`, `Escape`, ...
  void press(const std::string& key);
  /// Clicks with the mouse, in the middle of the first element that the selector finds.
  void click(const std::string& selector);
  // The mouse itself, in pixels of the window. It is where it was moved last.
  void move_mouse(double x, double y);
  void press_mouse();
  void release_mouse();
  void screenshot(const std::filesystem::path& file);
  /// Takes a picture of the first element that the selector finds, completely, even if it is larger
  /// than the window.
  void screenshot(const std::filesystem::path& file, const std::string& selector);

 private:
  class Process;
  class Implementation;
  explicit Browser(std::shared_ptr<Process> process);
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace ludens::server
