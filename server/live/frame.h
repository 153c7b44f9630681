// SPDX-License-Identifier: MIT
// One picture of a running tournament, as lines for a terminal.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "server/live/live_state.h"
#include "server/live/screen.h"

namespace ludens::server {

/// At most `rows` lines of at most `columns` characters: progress, running matches, standings, the
/// sequential test, messages. If there is not enough room, the longest parts are cut, and say so.
/// Without colour the lines are plain text; otherwise they contain escape sequences (ECMA-48, SGR),
/// which take no room.
std::vector<std::string> draw_frame(const LiveSnapshot& snapshot, const ScreenShape& shape);

/// A bar of `width` characters that is full up to `share`, 0 to 1.
std::string bar(double share, std::size_t width);

/// 0:07, 12:41, 3:05:00.
std::string duration_text(double ms);

}  // namespace ludens::server
