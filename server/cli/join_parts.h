// SPDX-License-Identifier: MIT
// `learn --join`: what several computers have learned, in one file.
#pragma once

#include <filesystem>

#include "server/cli/commands.h"
#include "server/cli/learned_game.h"

namespace ludens::server {

/// Joins the parts of `options`, which were learned from its base, into the file. Returns the exit
/// code. The command line has seen to it that there is a base.
int join_parts(const LearnOptions& options, const LearnedGame& game,
               const std::filesystem::path& file);

}  // namespace ludens::server
