// Command line and configuration file to calls of the commands.
#pragma once

#include <string>
#include <vector>

namespace ludens::server {

/// Exit codes: 0 done and good, 1 done and not good, 2 wrong use, 3 could not.
inline constexpr int kGood = 0, kNotGood = 1, kWrongUse = 2, kCouldNot = 3;

/// Parses the command line, runs the command, and returns the exit code. The only place that knows
/// CLI11.
int run_command_line(int argc, char** argv);

/// An option that a configuration file can set, with its default as text (empty: not set).
struct KnownOption {
  std::string command, option, standard;
};
std::vector<KnownOption> known_options();

}  // namespace ludens::server
