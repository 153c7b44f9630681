// SPDX-License-Identifier: MIT
// Documents written from the description of the program: the page that `man ludens` shows, and the
// scripts with which shells complete command lines.
#pragma once

#include <string>

#include "server/manual/description.h"

namespace ludens::server {

/// In the macros of man(7), with every command and every option.
std::string man_page(const ProgramDescription& program);

// Each is a script for its shell: commands, options, the words that options take, and games, which
// the script gets from the program.
std::string bash_completion(const ProgramDescription& program);
std::string zsh_completion(const ProgramDescription& program);
std::string fish_completion(const ProgramDescription& program);

}  // namespace ludens::server
