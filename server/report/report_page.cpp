// SPDX-License-Identifier: MIT
#include "server/report/report_page.h"

#include <algorithm>
#include <boost/json.hpp>
#include <utility>

#include "server/web/html.h"
#include "server/web/page_files.h"

namespace ludens::server {

namespace {

void append(std::string& list, std::string_view entry) {
  if (!list.empty()) list += ",\n";
  list += entry;
}

}  // namespace

ReportPage::Game& ReportPage::game(const MatchRecord& record) {
  const auto known = games_.find(record.rulesheet);
  if (known != games_.end()) return known->second;
  Game made{games_.size(), game_of(record)};
  append(games_json_, made.document->json());
  return games_.emplace(record.rulesheet, std::move(made)).first->second;
}

bool ReportPage::add_match(const MatchRecord& record, const std::string& place) {
  const Game& played = game(record);
  std::string match = match_json(record, played.document);
  match.pop_back();
  match += ",\"picture\":" + std::to_string(played.number);
  const auto [first, last] = by_id_.equal_range(record.match_id);
  const bool known = std::any_of(first, last, [&](const auto& entry) {
    const auto [begin, length] = entry.second;
    return std::string_view(matches_json_).substr(begin, length) == match;
  });
  if (known) return false;
  append(matches_json_, match);
  by_id_.emplace(record.match_id, Part{matches_json_.size() - match.size(), match.size()});
  matches_json_ +=
      ",\"place\":" + boost::json::serialize(boost::json::value(storable(place))) + "}";
  ++matches_;
  return true;
}

void ReportPage::add_tournament(std::string json) {
  append(tournaments_json_, json);
}

void ReportPage::add_problem(const std::string& text) {
  append(problems_json_, boost::json::serialize(boost::json::value(storable(text))));
}

std::string ReportPage::html(std::string_view title, std::string_view subtitle) const {
  const std::string data = "{\"games\":[" + games_json_ + "],\n\"tournaments\":[" +
                           tournaments_json_ + "],\n\"problems\":[" + problems_json_ +
                           "],\n\"matches\":[" + matches_json_ + "]}";
  return page_html(title, subtitle, data, !tournaments_json_.empty(),
                   {kViewerScript, kTournamentScript, kReportScript});
}

}  // namespace ludens::server
