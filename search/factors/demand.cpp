// SPDX-License-Identifier: MIT
#include "search/factors/demand.h"

#include <algorithm>
#include <deque>

namespace ludens::search::factors {

namespace {

/// A table by steps is no larger than this.
constexpr std::size_t kLargestTable = std::size_t{128} << 20;

Demand::Moves one_more(Demand::Moves moves) {
  return moves >= Demand::kNever - 1 ? moves : static_cast<Demand::Moves>(moves + 1);
}

}  // namespace

Demand::Demand(const Part& part, std::vector<bool> wanted, std::uint32_t steps,
               gdl::MemoryBudget* memory)
    : part_(part), wanted_(std::move(wanted)) {
  const std::size_t row = wanted_.size() * sizeof(Moves);
  by_steps_ =
      steps > 0 && row * (steps + 1) <= kLargestTable && held_.reserve(row * (steps + 1), memory);
  if (by_steps_) rows_ = steps + 1;
}

bool Demand::work_out(const gdl::StopSignal* stop) {
  table_.reserve(rows_ * wanted_.size());
  while (least_.size() < rows_) {
    if (stop != nullptr && stop->stop_requested()) return false;
    if (by_steps_) {
      fill_row(static_cast<std::uint32_t>(least_.size()));
    } else {
      fill_for_any_number();
    }
    const auto row = std::span(table_).last(wanted_.size());
    least_.push_back(row.empty() ? kNever : *std::ranges::min_element(row));
  }
  return true;
}

/// Fills the row for one more step than the row before.
void Demand::fill_row(std::uint32_t steps) {
  if (steps == 0) {
    for (const bool wanted : wanted_) table_.push_back(wanted ? 0 : kNever);
    return;
  }
  const std::size_t before = table_.size() - wanted_.size();
  for (Part::Index i = 0; i < wanted_.size(); ++i) {
    Moves best = kNever;
    if (part_.idle(i) != Part::kNone) best = table_[before + part_.idle(i)];
    for (const Part::Index to : part_.own(i)) best = std::min(best, one_more(table_[before + to]));
    table_.push_back(best);
  }
}

/// Breadth-first from the wanted states backwards, where idle steps cost nothing.
void Demand::fill_for_any_number() {
  const auto size = static_cast<Part::Index>(wanted_.size());
  std::vector<std::uint32_t> begin(size + 1, 0);
  const auto for_steps = [&](auto&& see) {
    for (Part::Index i = 0; i < size; ++i) {
      if (part_.idle(i) != Part::kNone) see(i, part_.idle(i), false);
      for (const Part::Index to : part_.own(i)) see(i, to, true);
    }
  };
  for_steps([&](Part::Index, Part::Index to, bool) { ++begin[to + 1]; });
  for (Part::Index i = 0; i < size; ++i) begin[i + 1] += begin[i];
  struct Back {
    Part::Index from;
    bool costs;
  };
  std::vector<Back> back(begin[size]);
  std::vector<std::uint32_t> at(begin.begin(), begin.end() - 1);
  for_steps([&](Part::Index i, Part::Index to, bool costs) { back[at[to]++] = {i, costs}; });

  table_.assign(size, kNever);
  std::deque<Part::Index> queue;
  for (Part::Index i = 0; i < size; ++i) {
    if (!wanted_[i]) continue;
    table_[i] = 0;
    queue.push_back(i);
  }
  while (!queue.empty()) {
    const Part::Index to = queue.front();
    queue.pop_front();
    for (const Back& step : std::span(back).subspan(begin[to], begin[to + 1] - begin[to])) {
      const Moves moves = step.costs ? one_more(table_[to]) : table_[to];
      if (moves >= table_[step.from]) continue;
      table_[step.from] = moves;
      step.costs ? queue.push_back(step.from) : queue.push_front(step.from);
    }
  }
}

}  // namespace ludens::search::factors
