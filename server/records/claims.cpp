// SPDX-License-Identifier: MIT
#include "server/records/claims.h"

#include <algorithm>
#include <cmath>

namespace ludens::server {

namespace {

/// Bounds are whole goals with the rounding errors of floating point.
constexpr double kRounding = 1e-6;

/// Whether the host made a move for the role from that step on (rows of `errors` begin with START).
bool was_replaced(const MatchRecord& record, std::size_t role, std::size_t step) {
  for (std::size_t row = step + 1; row < record.errors.size(); ++row) {
    const auto& errors = record.errors[row];
    if (role < errors.size() && !errors[role].empty()) return true;
  }
  return false;
}

/// Whether the role could still have got the goal later on, and gave it up for a better mean.
bool was_risked(const MatchRecord& record, const std::string& role, std::size_t step, double goal) {
  for (std::size_t row = step + 1; row < record.risked.size(); ++row) {
    const auto given_up = record.risked[row].find(role);
    if (given_up != record.risked[row].end() && given_up->second >= goal - kRounding) return true;
  }
  return false;
}

}  // namespace

std::vector<Disagreement> broken_claims(const MatchRecord& record) {
  std::vector<Disagreement> out;
  if (!record.completed || std::ranges::count(record.roles, "random") != 0) return out;
  for (std::size_t step = 0; step < record.claims.size(); ++step) {
    for (const auto& [name, sure] : record.claims[step]) {
      const auto found = std::ranges::find(record.roles, name);
      const auto role = static_cast<std::size_t>(found - record.roles.begin());
      if (found == record.roles.end() || role >= record.goals.size()) continue;
      if (record.goals[role] >= sure - kRounding) continue;
      if (was_replaced(record, role, step) || was_risked(record, name, step, sure)) continue;
      out.push_back({step, name + " was sure of " + std::to_string(std::lround(sure)) +
                               " and got " + std::to_string(record.goals[role])});
    }
  }
  return out;
}

}  // namespace ludens::server
