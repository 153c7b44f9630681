// SPDX-License-Identifier: MIT
// Estimates by relaxed reachability: how soon the goal could be reached if moves did not exclude
// each other.
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

/// For the largest goal that is not ruled out when it is prepared. The problem must outlive it.
class RelaxedEstimate final : public Estimate {
 public:
  /// Which value is used: the steps until an end with the goal is possible, which are never too
  /// many; or the sum over the conditions of the goal of the steps until each could hold, which is
  /// more informative.
  enum class Take : std::uint8_t { Steps, Added };

  RelaxedEstimate(SearchProblem& problem, Take take) : problem_(problem), take_(take) {}

  /// Takes the network of the machine, or waits for the one that is being made for its game. Also
  /// Ok if there is none: then all estimates are 0. Stopped: call it again. A network that no
  /// machine holds yet is kept if there is memory for it, because another machine of the game may
  /// be waiting for it.
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
