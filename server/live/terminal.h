// SPDX-License-Identifier: MIT
// Takes over a terminal's screen for a while and restores it.
#pragma once

#include <mutex>
#include <string>
#include <vector>

#include "server/live/screen.h"

namespace ludens::server {

/// While it lives, or until `leave`, the program has the alternate screen of the terminal, without
/// cursor (the private modes 1049 and 25 that xterm and its like know); afterwards the terminal is
/// as it was. That is also true if the program dies by a signal that can be caught, and while it is
/// stopped by Ctrl-Z. One object at a time. All functions may be called from any thread.
class Terminal {
 public:
  explicit Terminal(int file);
  ~Terminal();
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  [[nodiscard]] ScreenShape shape() const;
  /// Replaces what is shown. Nothing happens after `leave`.
  void draw(const std::vector<std::string>& lines);
  void leave();

 private:
  const int file_;
  std::mutex mutex_;
  bool left_ = false;
};

}  // namespace ludens::server
