// SPDX-License-Identifier: MIT
// One picture of a running tournament, as lines for a terminal.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "server/live/live_state.h"
#include "server/live/screen.h"

namespace ludens::server {

/// At most `rows` lines of at most `columns` characters: progress, matches running, standings, the
/// sequential test, messages. Where there is not enough room, the longest parts are cut, and say
/// so. Without colour the lines are plain text; else escape sequences (ECMA-48, SGR) stand in them,
/// which take no room.
std::vector<std::string> draw_frame(const LiveSnapshot& snapshot, const ScreenShape& shape);

/// `width` characters, so much of them full as `share` of 0..1 says.
std::string bar(double share, std::size_t width);

/// 0:07, 12:41, 3:05:00.
std::string duration_text(double ms);

}  // namespace ludens::server
