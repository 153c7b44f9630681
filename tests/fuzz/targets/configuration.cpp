// SPDX-License-Identifier: MIT
#include "server/cli/configuration.h"

#include <vector>

#include "tests/fuzz/targets/targets.h"

namespace ludens::fuzz {

void configuration(std::string_view input) {
  const auto read = server::parse_configuration(std::string(input));
  if (!read) {
    require(read.error().line >= 1 && read.error().column >= 1, "lines and columns count from 1");
    return require_sentence(read.error().text);
  }
  for (const server::Setting& setting : *read) {
    require(setting.line >= 1 && setting.column >= 1, "lines and columns count from 1");
    require(!setting.command.empty() && !setting.option.empty(), "settings have names");
  }
}

}  // namespace ludens::fuzz
