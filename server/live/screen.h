// SPDX-License-Identifier: MIT
// What the terminal behind a file can show, and text written to it.
#pragma once

#include <cstddef>
#include <string_view>

namespace ludens::server {

struct ScreenShape {
  std::size_t columns = 80, rows = 24;
  bool colour = true;
};

/// Can show a screen that stays: a terminal, and not a dumb one.
bool is_screen(int file);

/// The environment does not forbid it by NO_COLOR (no-color.org: any text but an empty one).
bool wants_colour();

/// The present size of the terminal behind the file; 80 by 24 where it does not say.
ScreenShape screen_shape(int file);

/// Writes all of it. Safe in a signal handler; a terminal that is gone takes nothing.
void put_text(int file, std::string_view text);

}  // namespace ludens::server
