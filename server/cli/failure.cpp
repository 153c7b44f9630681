// SPDX-License-Identifier: MIT
#include "server/cli/failure.h"

#include <iostream>

#include "gdl/text/printable.h"

namespace ludens::server {

int fail(int code, std::string_view text) {
  std::cerr << "ludens: " << gdl::printable(text) << "\n";
  return code;
}

int fail(int code, std::string_view command, std::string_view text) {
  std::cerr << "ludens: " << command << ": " << gdl::printable(text) << "\n";
  return code;
}

}  // namespace ludens::server
