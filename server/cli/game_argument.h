// GAME arguments of commands, with the complaints that people get to read.
#pragma once

#include <string>
#include <variant>

#include "server/game/rulesheet.h"

namespace ludens::server {

/// Loads GAME for playing. What is wrong goes to standard error; the exit code is `kCouldNot` where
/// the file can't be read, `kNotGood` where the rulesheet has errors and they are not `forced`, or
/// has nothing that could be played.
std::variant<Rulesheet, int> load_playable(const std::string& game, bool forced);

}  // namespace ludens::server
