// SPDX-License-Identifier: MIT
#include "agent/journal/journal.h"

#include <string>

#include "gdl/text/line_chain.h"
#include "tests/fuzz/targets/targets.h"

namespace ludens::fuzz {
namespace {

/// The lines with their checksums, which no mutation would find.
std::string sealed(std::string_view lines) {
  gdl::LineChain chain;
  std::string text;
  while (!lines.empty()) {
    const std::size_t end = lines.find('\n');
    if (end == std::string_view::npos) return text.append(lines);
    text += end == 0 ? "\n" : chain.seal(lines.substr(0, end));
    lines.remove_prefix(end + 1);
  }
  return text;
}

}  // namespace

void journal(std::string_view input) {
  (void)agent::parse_journal(input);
  const auto match = agent::parse_journal(sealed(input));
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
