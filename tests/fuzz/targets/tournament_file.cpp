// SPDX-License-Identifier: MIT
#include "server/tournament/tournament_file.h"

#include <vector>

#include "tests/fuzz/targets/targets.h"

namespace ludens::fuzz {

void tournament_file(std::string_view input) {
  // Files of the system are none of a tournament's games, and some of them have no end.
  for (const std::string_view folder : {"/dev", "/proc", "/sys"}) {
    if (input.find(folder) != std::string_view::npos) return;
  }
  const auto read = server::parse_tournament_file("tournament.xml", std::string(input));
  if (!read) {
    require(!read.error().empty(), "a file is refused for a reason");
    for (const server::FileProblem& problem : read.error()) {
      require(problem.line >= 1 && problem.column >= 1, "lines and columns count from 1");
      require_sentence(problem.text);
    }
    return;
  }
  const server::TournamentPlan& plan = read->plan;
  const std::string text = to_json(plan);
  const auto again = server::parse_plan(text);
  require(again.has_value(), "a plan is written readably");
  require(to_json(*again) == text, "it stays: " + text);
}

}  // namespace ludens::fuzz
