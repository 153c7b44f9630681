// SPDX-License-Identifier: MIT
// Turns the command line and the configuration file into calls of the commands.
#pragma once

#include "server/manual/description.h"

namespace ludens::server {

/// Parses the command line, runs the command, and returns the exit code. Apart from commands.h and
/// option_values.h, no other code depends on CLI11.
int run_command_line(int argc, char** argv);

/// All commands and options; operands and `--help` are not options. A configuration file can set
/// those of the commands.
ProgramDescription describe_program();

}  // namespace ludens::server
