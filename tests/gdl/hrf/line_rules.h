// SPDX-License-Identifier: MIT
// A small game in HRF, as it travels in messages.
#pragma once

#include <fstream>
#include <string>

#include "tests/project_folder.h"

namespace ludens {

/// Three in a row on one line, as a manager sends it.
inline std::string line_rules() {
  std::ifstream file(project_folder() + "/tests/gdl/hrf/games/line.hrf");
  std::string text, line;
  while (std::getline(file, line)) {
    if (line.empty() || line[0] == '%') continue;
    text += (text.empty() ? "" : ",") + line;
  }
  return text;
}

}  // namespace ludens
