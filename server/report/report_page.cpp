// SPDX-License-Identifier: MIT
#include "server/report/report_page.h"

#include <algorithm>
#include <boost/json.hpp>
#include <utility>

#include "server/web/html.h"
#include "server/web/page_files.h"

namespace ludens::server {

namespace json = boost::json;

namespace {

/// The time for the beliefs of one match.
constexpr std::chrono::duration<double> kThoughtOfMatch{2};

}  // namespace

ReportPage::Game& ReportPage::game(const MatchRecord& record) {
  const auto known = games_.find(record.rulesheet);
  if (known != games_.end()) return known->second;
  Game made{games_.size(), game_of(record)};
  games_json_.emplace_back(made.document->json());
  return games_.emplace(record.rulesheet, std::move(made)).first->second;
}

json::object ReportPage::with_beliefs(const MatchRecord& record, const Game& played) {
  const auto begin = std::chrono::steady_clock::now();
  json::object match = match_json(record, played.document, std::min(thought_, kThoughtOfMatch));
  thought_ -= std::chrono::steady_clock::now() - begin;
  return match;
}

bool ReportPage::add_match(const MatchRecord& record, const std::string& place) {
  const Game& played = game(record);
  json::object match = match_json(record, played.document, std::chrono::seconds(0));
  std::string text = json::serialize(match);
  const auto [first, last] = by_id_.equal_range(record.match_id);
  if (std::any_of(first, last, [&](const auto& known) { return known.second == text; })) {
    return false;
  }
  by_id_.emplace(record.match_id, std::move(text));
  if (played.document->hidden() != nullptr) match = with_beliefs(record, played);
  match["picture"] = played.number;
  match["place"] = storable(place);
  matches_json_ += (matches_ == 0 ? "" : ",\n") + json::serialize(match);
  ++matches_;
  return true;
}

void ReportPage::add_tournament(json::object tournament) {
  tournaments_.push_back(std::move(tournament));
}

void ReportPage::add_problem(const std::string& text) {
  problems_.emplace_back(storable(text));
}

std::string ReportPage::html(std::string_view title, std::string_view subtitle) const {
  const std::string data = "{\"games\":" + json::serialize(games_json_) +
                           ",\n\"tournaments\":" + json::serialize(tournaments_) +
                           ",\n\"problems\":" + json::serialize(problems_) + ",\n\"matches\":[" +
                           matches_json_ + "]}";
  return page_html(title, subtitle, data, !tournaments_.empty(),
                   {kBoardScript, kViewerScript, kTournamentScript, kReportScript});
}

}  // namespace ludens::server
