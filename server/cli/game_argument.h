// SPDX-License-Identifier: MIT
// GAME arguments of commands, with the complaints that people get to read.
#pragma once

#include <string>

#include "gdl/text/error.h"
#include "server/cli/exit_code.h"
#include "server/game/rulesheet.h"

namespace ludens::server {

// What is wrong goes to standard error. A command then ends with `kCouldNot` where the file can't
// be read, with `kNotGood` where the rulesheet is to blame.

/// Loads GAME for a match. A rulesheet with errors is refused unless it is `forced`; one without
/// roles always.
gdl::Result<Rulesheet, Failure> load_playable(const std::string& game, bool forced);

/// Loads GAME to look at it: errors are told, and refused only where the text is torn or has no
/// roles.
gdl::Result<Rulesheet, Failure> load_for_study(const std::string& game);

}  // namespace ludens::server
