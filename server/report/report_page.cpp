// SPDX-License-Identifier: MIT
#include "server/report/report_page.h"

#include <algorithm>
#include <boost/json.hpp>
#include <utility>

#include "server/web/html.h"
#include "server/web/page_files.h"

namespace ludens::server {

namespace {

/// The time for the beliefs of one match.
constexpr std::chrono::duration<double> kThoughtOfMatch{2};

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

/// A match as the page gets it, without beliefs; `with_beliefs` adds them while there is time.
std::string ReportPage::plain(const MatchRecord& record, const Game& played) {
  std::string match = match_json(record, played.document, std::chrono::seconds(0));
  match.pop_back();
  return match + ",\"picture\":" + std::to_string(played.number);
}

std::string ReportPage::with_beliefs(const MatchRecord& record, const Game& played) {
  const auto begin = std::chrono::steady_clock::now();
  std::string match = match_json(record, played.document, std::min(thought_, kThoughtOfMatch));
  thought_ -= std::chrono::steady_clock::now() - begin;
  match.pop_back();
  return match + ",\"picture\":" + std::to_string(played.number);
}

bool ReportPage::add_match(const MatchRecord& record, const std::string& place) {
  const Game& played = game(record);
  const std::string match = plain(record, played);
  const auto [first, last] = by_id_.equal_range(record.match_id);
  const bool known = std::any_of(first, last, [&](const auto& entry) {
    const Part& part = entry.second;
    return match == (part.plain.empty()
                         ? std::string_view(matches_json_).substr(part.begin, part.length)
                         : std::string_view(part.plain));
  });
  if (known) return false;
  const bool hidden = played.document->hidden() != nullptr;
  const std::string shown = hidden ? with_beliefs(record, played) : match;
  append(matches_json_, shown);
  by_id_.emplace(record.match_id, Part{matches_json_.size() - shown.size(), shown.size(),
                                       hidden ? match : std::string()});
  matches_json_ +=
      ",\"place\":" + boost::json::serialize(boost::json::value(storable(place))) + "}";
  ++matches_;
  return true;
}

void ReportPage::add_tournament(const std::string& json) {
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
                   {kBoardScript, kViewerScript, kTournamentScript, kReportScript});
}

}  // namespace ludens::server
