// SPDX-License-Identifier: MIT
// Estimates by relaxed reachability: how soon the goal could be, if moves did not exclude each
// other.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "gdl/machine/shared_network.h"
#include "gdl/memory/held_memory.h"
#include "gdl/network/relaxation.h"
#include "search/puzzle/estimate.h"
#include "search/puzzle/search_problem.h"

namespace ludens::search::puzzle {

/// For the largest goal that is not ruled out when it is made ready. The problem outlives it.
class RelaxedEstimate final : public Estimate {
 public:
  /// What is taken of it: the steps until an end with the goal could be, which are never too many;
  /// or those until each condition of the goal could hold, added up, which tell more.
  enum class Take : std::uint8_t { Steps, Added };

  RelaxedEstimate(SearchProblem& problem, Take take) : problem_(problem), take_(take) {}

  /// Takes the network of the machine, or waits for the one that is made of its game. Ok, also
  /// where there is none: then all estimates are 0. Stopped: to be called again.
  /// A network that no machine holds yet is kept, if there is memory for it: another machine of
  /// the game may be waiting for it.
  gdl::Status prepare();
  double moves(gdl::StateView state) override;
  void moves(std::span<const gdl::StateView> states, std::span<double> out) override;

 private:
  void keep(gdl::SharedNetwork::Pointer network);

  SearchProblem& problem_;
  Take take_;
  std::optional<gdl::Relaxation> relaxation_;
  gdl::HeldMemory held_;
  gdl::SharedNetwork::Pointer network_;  // null: the machine holds it, or there is no memory
  std::vector<std::vector<gdl::FluentId>> fluents_;  // [lane]
  std::vector<gdl::Relaxation::LowerBound> bounds_;  // [lane]
};

}  // namespace ludens::search::puzzle
