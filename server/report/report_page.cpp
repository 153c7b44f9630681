#include "server/report/report_page.h"

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

void ReportPage::add_match(const MatchRecord& record) {
  const Game& played = game(record);
  std::string match = match_json(record, played.document);
  match.pop_back();
  append(matches_json_, match + ",\"picture\":" + std::to_string(played.number) + "}");
  ++matches_;
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
