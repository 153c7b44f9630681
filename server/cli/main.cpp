// SPDX-License-Identifier: MIT
// The program `ludens`.
#include <csignal>
#include <cstdio>
#include <exception>
#include <new>

#include "agent/thread/freed_memory.h"
#include "server/cli/command_line.h"
#include "server/cli/exit_code.h"

namespace {

/// Ends the program without an allocation, because there may be no memory left.
int give_up(const char* why) {
  std::fputs("ludens: ", stderr);
  std::fputs(why, stderr);
  std::fputs("\n", stderr);
  return ludens::server::kCouldNot;
}

}  // namespace

int main(int argc, char** argv) {
  ludens::agent::keep_little_freed_memory();
  std::signal(SIGXFSZ, SIG_IGN);  // a limit on the size of files is an error like a full disk
  try {
    return ludens::server::flush_output(ludens::server::run_command_line(argc, argv));
  } catch (const std::bad_alloc&) {
    return give_up("there is not enough memory");
  } catch (const std::exception& problem) {
    return give_up(problem.what());
  }
}
