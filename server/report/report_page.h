// SPDX-License-Identifier: MIT
// The page of `ludens report`: matches and tournaments in one self-contained file.
#pragma once

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
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
  /// `tournament`: the object that `tournament_json` makes.
  void add_tournament(boost::json::object tournament);
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
  boost::json::object with_beliefs(const MatchRecord& record, const Game& played);

  std::map<std::string, Game> games_;              // by rulesheet
  std::multimap<std::string, std::string> by_id_;  // texts, without beliefs and places
  boost::json::array games_json_, tournaments_, problems_;
  std::string matches_json_;  // without brackets: a text is much smaller than its values
  std::size_t matches_ = 0;
  std::chrono::duration<double> thought_{20};  // left for beliefs
};

}  // namespace ludens::server
