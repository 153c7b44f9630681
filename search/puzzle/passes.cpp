// SPDX-License-Identifier: MIT
#include "search/puzzle/passes.h"

#include <algorithm>

namespace ludens::search::puzzle {

namespace {

/// Pairs of a pass for a machine that looks at one state at a time: few, so that it ends soon.
constexpr std::size_t kFewest = 16;

}  // namespace

Passes::Passes(SearchProblem& problem)
    : problem_(problem), capacity_(std::max(kFewest, problem.machine().preferred_batch())) {
  moves_.reserve(capacity_);
  tags_.reserve(capacity_);
  pairs_.reserve(capacity_);
}

gdl::Status Passes::run() {
  children_ = 0;
  if (pairs_.empty()) return gdl::Status::Ok;
  if (problem_.stopped()) return gdl::Status::Stopped;
  const gdl::Status status = problem_.machine().expand(problem_.context(), pairs_, expansion_);
  if (status == gdl::Status::Stopped) return status;
  problem_.states += pairs_.size();
  if (status == gdl::Status::Ok) {
    children_ = pairs_.size();
  } else {
    problem_.gaps = true;
  }
  return gdl::Status::Ok;
}

void Passes::clear() {
  moves_.clear();
  tags_.clear();
  pairs_.clear();
  children_ = 0;
}

}  // namespace ludens::search::puzzle
