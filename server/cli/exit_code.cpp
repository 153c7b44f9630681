// SPDX-License-Identifier: MIT
#include "server/cli/exit_code.h"

#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iostream>

#include "gdl/text/printable.h"

namespace ludens::server {

namespace {

bool reader_is_gone() {
  pollfd output{STDOUT_FILENO, 0, 0};
  return ::poll(&output, 1, 0) == 1 && (output.revents & POLLERR) != 0;
}

}  // namespace

int fail(int code, std::string_view text) {
  std::cerr << "ludens: " << gdl::printable(text) << "\n";
  return code;
}

int fail(int code, std::string_view command, std::string_view text) {
  std::cerr << "ludens: " << command << ": " << gdl::printable(text) << "\n";
  return code;
}

int flush_output(int code) {
  std::cout.flush();
  errno = 0;
  const bool flushed = std::fflush(stdout) == 0;
  const int reason = errno;
  if ((flushed && std::ferror(stdout) == 0 && std::cout.good()) || reader_is_gone()) return code;
  std::cerr << "ludens: standard output: "
            << (flushed ? "not everything could be written" : std::strerror(reason)) << "\n";
  return kCouldNot;
}

}  // namespace ludens::server
