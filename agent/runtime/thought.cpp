// SPDX-License-Identifier: MIT
#include "agent/runtime/thought.h"

#include <array>
#include <cstdio>

#include "gdl/text/printable.h"

namespace ludens::agent {
namespace {

constexpr std::size_t kExplanationShown = 400;

}  // namespace

std::string thought_text(const search::Choice& choice, const gdl::Vocabulary& names,
                         const std::string& explanation) {
  if (choice.move >= names.move_count()) return {};
  std::array<char, 64> value{};
  std::snprintf(value.data(), value.size(), " value %.1f", choice.value);
  std::string text = names.move_name(choice.move) + value.data() + (choice.exact ? " exact" : "");
  if (choice.depth > 0) text += " depth " + std::to_string(choice.depth);
  if (choice.iterations > 0) text += " iterations " + std::to_string(choice.iterations);
  if (choice.nodes > 0) text += " nodes " + std::to_string(choice.nodes);
  if (explanation.empty()) return text;
  const bool cut = explanation.size() > kExplanationShown;
  text += "; " + gdl::printable(explanation.substr(0, kExplanationShown));
  return cut ? text + "..." : text;
}

}  // namespace ludens::agent
