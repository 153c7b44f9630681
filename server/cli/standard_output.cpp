// SPDX-License-Identifier: MIT
#include "server/cli/standard_output.h"

#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iostream>

#include "server/cli/exit_code.h"

namespace ludens::server {

namespace {

bool reader_is_gone() {
  pollfd output{STDOUT_FILENO, 0, 0};
  return ::poll(&output, 1, 0) == 1 && (output.revents & POLLERR) != 0;
}

}  // namespace

int flush_output(int code) {
  std::cout.flush();
  errno = 0;
  const bool flushed = std::fflush(stdout) == 0;
  const int reason = errno;
  if ((flushed && std::ferror(stdout) == 0 && std::cout.good()) || reader_is_gone()) return code;
  std::cerr << "ludens: standard output: "
            << (flushed ? "not all could be written" : std::strerror(reason)) << "\n";
  return kCouldNot;
}

}  // namespace ludens::server
