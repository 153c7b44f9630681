// SPDX-License-Identifier: MIT
// What shells need to complete command lines of the program.
#pragma once

#include <string>

#include "server/manual/description.h"

namespace ludens::server {

// Each is a script for its shell: commands, options, the words that options take, and games, which
// the program is asked for.
std::string bash_completion(const ProgramDescription& program);
std::string zsh_completion(const ProgramDescription& program);
std::string fish_completion(const ProgramDescription& program);

}  // namespace ludens::server
