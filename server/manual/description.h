// SPDX-License-Identifier: MIT
// A description of the command line as values, from which manual and completions are written.
#pragma once

#include <string>
#include <vector>

namespace ludens::server {

/// An option, without its dashes, or an operand, whose name is in capitals.
struct OptionDescription {
  std::string name;
  std::string values;    // as in the help: `UINT:0..1024`, `TEXT:a|b`; empty for a flag
  std::string standard;  // the default as text; empty: not set
  std::string help;
  bool required = false;
  bool repeated = false;
};

struct CommandDescription {
  std::string name, summary;
  std::string example;  // a command line that works in the project's folder
  std::vector<OptionDescription> operands, options;
};

struct ProgramDescription {
  std::string name, version, summary;
  std::vector<OptionDescription> options;  // of the program, before the command
  std::vector<CommandDescription> commands;
};

/// The words that an option takes, if there is a list of them: `a` and `b` of `TEXT:a|b`.
std::vector<std::string> words_of(const OptionDescription& option);

}  // namespace ludens::server
