// SPDX-License-Identifier: MIT
#include "server/tournament/log.h"

#include "tests/fuzz/targets/targets.h"

namespace ludens::fuzz {

namespace {

std::string write(const server::TournamentLog& log) {
  std::string text = server::log_header(log.plan, log.shard) + "\n";
  for (const server::MatchResult& result : log.results) text += to_json(result) + "\n";
  return text;
}

}  // namespace

void tournament_log(std::string_view input) {
  const auto read = server::parse_log("log", input);
  if (!read) return require_sentence(read.error().text());
  const auto& log = *read;
  require(log.whole_bytes <= input.size(), "whole lines lie within the file");
  const std::string text = write(log);
  const auto again = server::parse_log("log", text);
  require(again.has_value(), "a log is written readably: " + again.error().what + "\n" + text);
  require(write(*again) == text, "it stays: " + text);
}

}  // namespace ludens::fuzz
