// SPDX-License-Identifier: MIT
#include "server/tournament/log.h"

#include <variant>

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
  if (const auto* problem = std::get_if<server::LogProblem>(&read)) {
    return require_sentence(problem->text());
  }
  const auto& log = std::get<server::TournamentLog>(read);
  require(log.whole_bytes <= input.size(), "whole lines lie within the file");
  const std::string text = write(log);
  const auto again = server::parse_log("log", text);
  const auto* problem = std::get_if<server::LogProblem>(&again);
  require(problem == nullptr,
          "a log is written readably: " + (problem == nullptr ? "" : problem->what + "\n" + text));
  require(write(std::get<server::TournamentLog>(again)) == text, "it stays: " + text);
}

}  // namespace ludens::fuzz
