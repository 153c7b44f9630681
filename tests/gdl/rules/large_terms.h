// SPDX-License-Identifier: MIT
// Rules whose equations build large terms.
#pragma once

#include <string>

namespace ludens::gdl {

/// Rules with few symbols, each with a term of 65,535 in the normal form.
inline std::string doubling(int rules) {
  std::string text;
  for (int i = 0; i < rules; ++i) {
    text += "(<= (p" + std::to_string(i) + " ?v0) (q ?v15)";
    for (int k = 0; k < 15; ++k) {
      const std::string next = " ?v" + std::to_string(k + 1);
      text += " (not (distinct ?v" + std::to_string(k) + " (f" + next + next + ")))";
    }
    text += ")";
  }
  return text;
}

}  // namespace ludens::gdl
