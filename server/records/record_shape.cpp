// SPDX-License-Identifier: MIT
#include "server/records/record_shape.h"

#include <algorithm>
#include <string_view>

namespace ludens::server {

namespace {

/// The number of roles, from the first list that shows it; 0 if it is unknown.
std::size_t role_count(const MatchRecord& record) {
  for (const std::size_t count :
       {record.roles.size(), record.players.size(), record.goals.size()}) {
    if (count > 0) return count;
  }
  return record.moves.empty() ? 0 : record.moves.front().size();
}

std::string entries(std::string_view list, std::size_t count, std::size_t wanted,
                    std::string_view each) {
  return "'" + std::string(list) + "' has " + std::to_string(count) +
         (count == 1 ? " entry for " : " entries for ") + std::to_string(wanted) + " " +
         std::string(each) + (wanted == 1 ? "" : "s");
}

/// Keeps the first problem; later checks are skipped.
class Shape {
 public:
  explicit Shape(const MatchRecord& record) : record_(record), roles_(role_count(record)) {}

  std::string look() {
    if (record_.states.size() != record_.moves.size() + 1) {
      note("'states' must be one more than 'moves'");
    }
    for (const std::string& role : record_.roles) {
      if (std::ranges::count(record_.roles, role) > 1) note("role '" + role + "' stands twice");
    }
    one_a_role("playerNamesFromHost", record_.players.size());
    one_a_role("isPlayerHuman", record_.human.size());
    one_a_role("goalValues", record_.goals.size());
    one_a("stateTimes", record_.state_times_ms.size(), record_.states.size(), "state");
    rows("errors", record_.errors);
    rows("x-latenciesMs", record_.latencies_ms);
    percepts();
    by_role("x-values", record_.values);
    by_role("x-claims", record_.claims);
    by_role("x-risked", record_.risked);
    steps();
    return problem_;
  }

 private:
  void note(std::string what) {
    if (problem_.empty()) problem_ = std::move(what);
  }
  void one_a(std::string_view list, std::size_t count, std::size_t wanted, std::string_view each) {
    if (count != 0 && count != wanted) note(entries(list, count, wanted, each));
  }
  void one_a_role(std::string_view list, std::size_t count) {
    if (roles_ != 0) one_a(list, count, roles_, "role");
  }
  /// One row for each state, with one entry for each role.
  template <class T>
  void rows(std::string_view list, const std::vector<std::vector<T>>& rows) {
    one_a(list, rows.size(), record_.states.size(), "state");
    for (std::size_t row = 0; row < rows.size(); ++row) {
      if (roles_ == 0 || rows[row].size() == roles_) continue;
      note("row " + std::to_string(row) + " of " + entries(list, rows[row].size(), roles_, "role"));
    }
  }
  /// One row for each step, with one list for each role.
  void percepts() {
    one_a("x-percepts", record_.percepts.size(), record_.moves.size(), "step");
    for (std::size_t row = 0; row < record_.percepts.size(); ++row) {
      const std::size_t lists = record_.percepts[row].size();
      if (roles_ == 0 || lists == roles_) continue;
      note("row " + std::to_string(row) + " of " + entries("x-percepts", lists, roles_, "role"));
    }
  }
  /// One row for each step.
  void by_role(std::string_view list, const std::vector<std::map<std::string, double>>& rows) {
    one_a(list, rows.size(), record_.moves.size(), "step");
    for (std::size_t row = 0; row < rows.size(); ++row) {
      for (const auto& [role, number] : rows[row]) {
        if (record_.roles.empty() || std::ranges::count(record_.roles, role) != 0) continue;
        note("row " + std::to_string(row) + " of '" + std::string(list) + "' names '" + role +
             "', which is no role");
      }
    }
  }
  void steps() {
    for (const Replacement& replacement : record_.replacements) {
      if (replacement.step <= record_.moves.size()) continue;
      note("'x-replacedMoves' names step " + std::to_string(replacement.step) + " of " +
           std::to_string(record_.moves.size()));
    }
  }

  const MatchRecord& record_;
  const std::size_t roles_;
  std::string problem_;
};

}  // namespace

std::string shape_problem(const MatchRecord& record) {
  return Shape(record).look();
}

}  // namespace ludens::server
