// SPDX-License-Identifier: MIT
// The games that a tournament's file names: bundled games, files, patterns of either.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "gdl/text/error.h"
#include "server/game/rulesheet.h"

namespace ludens::server {

/// The rulesheets that `text` names, sorted by file: the bundled game of that name, a file
/// (relative to `folder`), or all that a pattern with `*`, `?` or `[...]` matches: among the names
/// of bundled games if it has no '/', otherwise among files. All are playable. The error is a
/// sentence.
gdl::Result<std::vector<Rulesheet>> find_games(const std::string& text,
                                               const std::filesystem::path& folder);

}  // namespace ludens::server
