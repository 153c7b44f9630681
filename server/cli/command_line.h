// Command line and configuration file to calls of the commands.
#pragma once

#include <string>
#include <vector>

namespace ludens::server {

/// Parses the command line, runs the command, and returns the exit code. This and option_values.h
/// are the only places that know CLI11.
int run_command_line(int argc, char** argv);

/// An option that a configuration file can set, with its default as text (empty: not set), and the
/// values it takes as the help says them (`UINT:0..1024`).
struct KnownOption {
  std::string command, option, standard, values;
};
std::vector<KnownOption> known_options();

/// A command with the example in its help, a command line that works in the project's folder.
struct KnownCommand {
  std::string name, example;
};
std::vector<KnownCommand> known_commands();

}  // namespace ludens::server
