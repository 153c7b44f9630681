// SPDX-License-Identifier: MIT
// Random playouts that record more than their final goals.
#pragma once

#include <boost/unordered/unordered_flat_set.hpp>
#include <vector>

#include "search/analysis/findings.h"

namespace ludens::search {

struct HashOfState {
  std::size_t operator()(const gdl::StateHash& hash) const { return hash.low; }
};
using StateSet = boost::unordered_flat_set<gdl::StateHash, HashOfState>;

/// Plays at random from a state, one step at a time, and gathers counts in addition to the
/// findings.
class Sampler {
 public:
  Sampler(const gdl::Machine& machine, gdl::Machine::Context& context, gdl::Rng& rng,
          Findings& findings);

  /// Makes one playout; its counts are kept even if it was stopped.
  gdl::Status play(gdl::StateView from, std::uint32_t step_cap);

  std::uint64_t finished = 0, cut = 0, steps = 0;
  std::uint64_t finished_steps = 0;
  std::uint32_t longest = 0;
  double branching_sum = 0;              // joint moves, over all states
  std::vector<double> magnitudes;        // log10 of the product of joint moves, each playout
  std::vector<std::uint64_t> goal_sums;  // [role], of the finished

 private:
  gdl::Status look(bool& terminal);
  gdl::Status choose(double& magnitude);

  const gdl::Machine& machine_;
  gdl::Machine::Context& context_;
  gdl::Rng& rng_;
  Findings& findings_;
  gdl::State state_, next_;
  StateSet path_;
  std::vector<gdl::MoveId> legal_, joint_;
  std::vector<std::uint32_t> counts_;
  std::vector<int> goals_, goals_before_;
};

}  // namespace ludens::search
