// SPDX-License-Identifier: MIT
#include "agent/journal/journal.h"

#include "tests/fuzz/targets/targets.h"

namespace ludens::fuzz {

void journal(std::string_view input) {
  const auto match = agent::parse_journal(input);
  if (!match) return;
  const std::string text = agent::journal_text(*match);
  const auto again = agent::parse_journal(text);
  require(again.has_value(), "a journal that was read can be written and read: " + text);
  require(agent::journal_text(*again) == text, "it says the same: " + text);
  const std::string name = agent::journal_name(match->match_id);
  require(name.find('/') == std::string::npos && !name.starts_with('.') && name.size() < 255,
          "a journal's name is that of a file: " + name);
}

}  // namespace ludens::fuzz
