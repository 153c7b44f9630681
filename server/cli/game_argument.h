// SPDX-License-Identifier: MIT
// GAME arguments of commands, with the error messages for people.
#pragma once

#include <string>

#include "gdl/text/error.h"
#include "server/cli/exit_code.h"
#include "server/game/rulesheet.h"

namespace ludens::server {

// Errors go to standard error. A command then ends with `kCouldNot` if the file can't be read or
// `stop`, which may be null, has ended that, with `kNotGood` if the rulesheet is wrong.

/// Loads GAME for a match. A rulesheet with errors is refused, and one without roles.
gdl::Result<Rulesheet, Failure> load_playable(const std::string& game,
                                              const gdl::StopSignal* stop = nullptr);

/// The same for a command that has --force: rulesheets with errors are played if it is given.
gdl::Result<Rulesheet, Failure> load_playable(const std::string& game, bool forced,
                                              const gdl::StopSignal* stop = nullptr);

/// Loads GAME for inspection: errors are printed, and it is refused only if the text is incomplete
/// or has no roles.
gdl::Result<Rulesheet, Failure> load_for_study(const std::string& game,
                                               const gdl::StopSignal* stop = nullptr);

}  // namespace ludens::server
