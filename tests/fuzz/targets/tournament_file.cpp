// SPDX-License-Identifier: MIT
#include "server/tournament/tournament_file.h"

#include <variant>
#include <vector>

#include "tests/fuzz/targets/targets.h"

namespace ludens::fuzz {

void tournament_file(std::string_view input) {
  // Files of the system are none of a tournament's games, and some of them have no end.
  for (const std::string_view folder : {"/dev", "/proc", "/sys"}) {
    if (input.find(folder) != std::string_view::npos) return;
  }
  const auto read = server::parse_tournament_file("tournament.xml", std::string(input));
  if (const auto* problems = std::get_if<std::vector<server::FileProblem>>(&read)) {
    require(!problems->empty(), "a file is refused for a reason");
    for (const server::FileProblem& problem : *problems) {
      require(problem.line >= 1 && problem.column >= 1, "lines and columns count from 1");
      require_sentence(problem.text);
    }
    return;
  }
  const server::TournamentPlan& plan = std::get<server::TournamentFile>(read).plan;
  const std::string text = to_json(plan);
  const auto again = server::parse_plan(text);
  require(std::holds_alternative<server::TournamentPlan>(again), "a plan is written readably");
  require(to_json(std::get<server::TournamentPlan>(again)) == text, "it stays: " + text);
}

}  // namespace ludens::fuzz
