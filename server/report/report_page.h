// SPDX-License-Identifier: MIT
// The page of `ludens report`: matches and tournaments in one self-contained file.
#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "server/records/match_record.h"
#include "server/web/match_document.h"

namespace ludens::server {

/// Collects the contents piece by piece, so that records need not be in memory together.
class ReportPage {
 public:
  /// Matches are listed in the order in which they were added. `place` says where the record was
  /// found, which distinguishes matches with the same id. False if exactly the same match is
  /// already there, from whatever place.
  bool add_match(const MatchRecord& record, const std::string& place);
  /// As `tournament_json` writes it.
  void add_tournament(const std::string& json);
  /// Adds a sentence about something that could not be shown.
  void add_problem(const std::string& text);

  [[nodiscard]] std::size_t matches() const { return matches_; }
  [[nodiscard]] std::string html(std::string_view title, std::string_view subtitle) const;

 private:
  struct Game {
    std::size_t number;
    std::shared_ptr<const GameDocument> document;
  };
  Game& game(const MatchRecord& record);
  static std::string plain(const MatchRecord& record, const Game& played);
  std::string with_beliefs(const MatchRecord& record, const Game& played);

  /// A part of `matches_json_`; its text without beliefs, if it has some.
  struct Part {
    std::size_t begin, length;
    std::string plain;
  };

  std::map<std::string, Game> games_;                                         // by rulesheet
  std::multimap<std::string, Part> by_id_;                                    // without places
  std::string games_json_, matches_json_, tournaments_json_, problems_json_;  // without brackets
  std::size_t matches_ = 0;
  std::chrono::duration<double> thought_{20};  // left for beliefs
};

}  // namespace ludens::server
