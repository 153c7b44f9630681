// SPDX-License-Identifier: MIT
#include "gdl/ground/grounding.h"

namespace ludens::gdl {

void Grounding::adopt_relations() {
  while (tuples.size() < flat.relations.size()) {
    tuples.emplace_back(flat.relations[tuples.size()].columns);
  }
  dynamic.resize(tuples.size(), false);
  filter.resize(tuples.size(), false);
}

bool GroundingMeter::fail(GroundingFailure::Kind kind, const char* text) {
  if (!failure) failure = GroundingFailure{kind, text, current_rule};
  return true;
}

bool GroundingMeter::check() {
  if (limits_.limits.stop != nullptr && limits_.limits.stop->stop_requested()) {
    return fail(GroundingFailure::Kind::Stopped, "stopped");
  }
  std::size_t rows = 0, bytes = 0;
  for (const Tuples& t : tuples_) {
    rows += t.size();
    bytes += t.bytes();
  }
  if (rows > limits_.max_rows || bytes > limits_.max_bytes) {
    return fail(GroundingFailure::Kind::OverBudget, "too many things could hold");
  }
  if (beside) bytes += beside();
  if (instances > limits_.max_instances) {
    return fail(GroundingFailure::Kind::OverBudget, "too many ground rules");
  }
  if (!held_.hold(bytes, limits_.limits.memory)) {
    return fail(GroundingFailure::Kind::OverBudget, "memory is used up");
  }
  return false;
}

}  // namespace ludens::gdl
