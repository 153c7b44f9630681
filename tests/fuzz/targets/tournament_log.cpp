// SPDX-License-Identifier: MIT
#include "server/tournament/log.h"

#include "tests/fuzz/targets/targets.h"

namespace ludens::fuzz {

void tournament_log(std::string_view input) {
  const auto checked = server::parse_log("log", input);
  if (!checked) require_sentence(checked.error().text());
  // No mutation would meet a checksum.
  const auto read = server::parse_log("log", input, server::LogTrust::Blind);
  if (!read) return require_sentence(read.error().text());
  const auto& log = *read;
  require(log.whole_bytes <= input.size(), "whole lines lie within the file");
  const std::string text = log_text(log);
  const auto again = server::parse_log("log", text, server::LogTrust::Blind);
  require(again.has_value(), "a log is written readably: " + again.error().what + "\n" + text);
  require(log_text(*again) == text, "it stays: " + text);
}

}  // namespace ludens::fuzz
