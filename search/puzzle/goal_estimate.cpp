// SPDX-License-Identifier: MIT
#include "search/puzzle/goal_estimate.h"

#include <algorithm>

namespace ludens::search::puzzle {

const gdl::Structure::Alternatives* CountEstimate::alternatives(const gdl::Machine& machine) {
  const auto& goals = machine.structure().goals;
  if (goals.empty() || goals[0].empty()) return nullptr;
  const auto& wanted = goals[0].back().alternatives;
  return wanted && !wanted->empty() ? &*wanted : nullptr;
}

bool CountEstimate::suits(const gdl::Machine& machine) {
  const auto* wanted = alternatives(machine);
  return wanted != nullptr &&
         std::ranges::all_of(*wanted, [](const auto& conditions) { return conditions.size() > 1; });
}

double CountEstimate::moves(gdl::StateView state) {
  if (wanted_ == nullptr) return 0;
  const auto status = problem_.machine().fluents(problem_.context(), state, fluents_);
  if (status != gdl::Status::Ok) return 0;
  std::ptrdiff_t fewest = std::numeric_limits<std::ptrdiff_t>::max();
  for (const auto& conditions : *wanted_) {
    fewest = std::min(fewest, std::ranges::count_if(conditions, [&](const auto& condition) {
                        return !reader_.holds(condition, fluents_);
                      }));
  }
  return static_cast<double>(fewest);
}

}  // namespace ludens::search::puzzle
