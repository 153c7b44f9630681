// SPDX-License-Identifier: MIT
// Command line and configuration file to calls of the commands.
#pragma once

#include "server/manual/description.h"

namespace ludens::server {

/// Parses the command line, runs the command, and returns the exit code. Beside
/// commands.h and option_values.h nothing knows CLI11.
int run_command_line(int argc, char** argv);

/// All commands and options; operands and `--help` are no options. A configuration file can set
/// those of the commands.
ProgramDescription describe_program();

}  // namespace ludens::server
