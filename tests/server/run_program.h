// SPDX-License-Identifier: MIT
// The program itself, run by tests.
#pragma once

#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <string>

#include "tests/project_folder.h"

namespace ludens::server {

struct ProgramRun {
  int code = -1;
  std::string output;  // the text of standard output
};

/// Runs `ludens ARGUMENTS` by the shell in the project's folder. Append `2>&1` to the arguments to
/// get standard error as well. `before` are commands of the shell, as `ulimit -f 1;`.
inline ProgramRun run_program(const std::string& arguments, const std::string& before = {}) {
  const std::string command = std::string("cd '") + project_folder() + "' && " + before + " '" +
                              ludens_program() + "' " + arguments;
  ProgramRun run;
  FILE* pipe = ::popen(command.c_str(), "r");
  if (pipe == nullptr) return run;
  std::array<char, 4096> buffer;
  for (std::size_t n; (n = std::fread(buffer.data(), 1, buffer.size(), pipe)) > 0;) {
    run.output.append(buffer.data(), n);
  }
  const int status = ::pclose(pipe);
  if (WIFEXITED(status)) run.code = WEXITSTATUS(status);
  return run;
}

}  // namespace ludens::server
