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

/// Whether it can show a permanent screen: a terminal that is not dumb.
bool is_screen(int file);

/// Whether the environment allows colour: NO_COLOR is not set (no-color.org: or empty).
bool wants_colour();

/// The current size of the terminal behind the file; 80 by 24 if it is unknown.
ScreenShape screen_shape(int file);

/// Writes all of it. Safe in a signal handler; does nothing if the terminal is gone.
void put_text(int file, std::string_view text);

}  // namespace ludens::server
