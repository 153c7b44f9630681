// SPDX-License-Identifier: MIT
// Schedules the searches on a puzzle.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "search/puzzle/best_first.h"
#include "search/puzzle/deepening.h"
#include "search/puzzle/goal_estimate.h"
#include "search/puzzle/layers.h"
#include "search/puzzle/nested_policy.h"
#include "search/puzzle/part_search.h"

namespace ludens::search::puzzle {

enum class Method : std::uint8_t { Auto, Parts, Breadth, Beam, AStar, Ida, Nested };

struct PortfolioSettings {
  Method method = Method::Auto;
  bool factors = true;       // independent parts are searched by part
  std::size_t width = 0;     // of beams; 0: from narrow to wider and wider
  NestedSettings nested;     // of policies
  double weight = 5;         // of the estimate in A* and IDA*
  std::uint64_t states = 0;  // cap on states visited; 0: none
};

/// All searches on one position. They take turns by numbers of states, not by the clock, so that
/// the same seed gives the same search; an interrupted search continues at its next turn. Random
/// plays come first, then rounds of growing effort: search by parts if there are several, a narrow
/// beam by each ranking that distinguishes states, breadth-first search as long as its table has
/// room, policies, best-first search.
class Portfolio {
 public:
  /// All arguments must outlive this.
  Portfolio(SearchProblem& problem, const PortfolioSettings& settings);
  ~Portfolio();

  /// Runs until a sufficient goal was found (Solved), everything was searched (Exhausted: the best
  /// play found is the best possible), nothing is left to try, or `stop`. May be called again.
  Ended run(const gdl::StopSignal& stop);
  /// What has been done, for logs.
  [[nodiscard]] std::string summary() const;

 private:
  struct Slice;
  static constexpr unsigned kSteps = 7;

  Ended round(const gdl::StopSignal& stop);
  Ended look_around();
  Ended parts(const gdl::StopSignal& stop, std::uint64_t states);
  Ended beams(const gdl::StopSignal& stop);
  Ended breadth(const gdl::StopSignal& stop, std::uint64_t states);
  Ended nested(const gdl::StopSignal& stop, std::uint64_t states);
  Ended best_first(const gdl::StopSignal& stop, std::uint64_t states);
  Ended deepening(const gdl::StopSignal& stop, std::uint64_t states);
  template <typename Search>
  Ended turn(Search& search, const gdl::StopSignal& stop, std::uint64_t states, bool& over);
  void make_estimate();
  [[nodiscard]] bool anything_left() const;
  [[nodiscard]] bool does(Method method) const {
    return settings_.method == method || settings_.method == Method::Auto;
  }

  SearchProblem& problem_;
  PortfolioSettings settings_;
  PlayObservations observations_;
  Guide guide_;
  std::vector<Ranking> rankings_;
  // Tables that are kept from turn to turn use this part of the memory exclusively.
  std::optional<gdl::MemoryBudget> share_;
  unsigned round_ = 0, step_ = 0;  // the search whose turn it is
  std::unique_ptr<PartSearch> parts_;
  std::unique_ptr<Layers> beam_, breadth_;
  std::size_t ranking_ = 0;  // of the beam
  std::size_t widest_ = std::size_t{1} << 24;
  bool with_clock_ = false;  // breadth-first search distinguishes clocks already
  std::unique_ptr<NestedPolicy> nested_;
  std::unique_ptr<Estimate> estimate_;  // of A* and IDA*
  std::unique_ptr<BestFirst> best_first_;
  std::unique_ptr<Deepening> deepening_;
  bool parts_over_ = false;
  bool all_to_the_limit_ = false;  // no better play exists within the cap on moves
  bool breadth_over_ = false, best_first_over_ = false, deepening_over_ = false;
  std::string found_by_;
};

}  // namespace ludens::search::puzzle
