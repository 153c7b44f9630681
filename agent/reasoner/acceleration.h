// SPDX-License-Identifier: MIT
// Switches from the machine that is ready at once to the fastest available one while work on a
// position goes on.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "search/strategy/factory.h"

namespace ludens::agent {

/// The fast machine of one game, which is built in a separate thread from the construction on. It
/// may come in two stages, of which the first uses the network after the cheap passes. If no thread
/// is available, as in a browser, it is built within the constructor, for at most three quarters of
/// the time that `deadline` gives; otherwise the deadline is not used. One thread alone uses an
/// object; `memory` may be null and must outlive it.
class Acceleration {
 public:
  Acceleration(const std::string& kind, const std::shared_ptr<gdl::Vocabulary>& vocabulary,
               gdl::MemoryBudget* memory, const search::Deadline& deadline);
  /// Stops a build that has not ended.
  ~Acceleration();
  Acceleration(const Acceleration&) = delete;
  Acceleration& operator=(const Acceleration&) = delete;

  /// Waits until the last stage is ready, or can't be built, or the time is over.
  void wait(const search::Deadline& until);
  /// The fastest machine that is ready; null: none.
  std::shared_ptr<const gdl::Machine> machine();
  /// Whether more may come.
  [[nodiscard]] bool building();
  /// Why there is none; empty unless the build has failed.
  [[nodiscard]] const std::string& why_not() const { return why_not_; }
  /// Which machine there is and when it was ready, or why there is none; empty: not known yet.
  [[nodiscard]] const std::string& summary() const { return summary_; }

  /// Works on the position until a faster machine is ready; its deadline then asks it to stop. True
  /// if it has ended for good.
  using Work = std::function<bool(const search::Position&, const search::Deadline&)>;
  /// Calls `work` on the fastest machine there is, and again on each faster one, unless the time is
  /// over or it has ended for good, or without a request to stop. `work` calls none but `wait`. The
  /// position's history is replayed on other machines, which use the same names.
  void run(const search::Position& position, const search::Deadline& deadline, const Work& work);

 private:
  class Build;
  class StopAtNews;
  void adopt();
  [[nodiscard]] bool translate(const search::Deadline& deadline, search::Position& position) const;

  gdl::MemoryBudget* memory_;
  std::shared_ptr<const gdl::Machine> machine_;
  std::string summary_, why_not_;
  std::unique_ptr<Build> build_;  // null once its last result was taken
};

/// A strategy that thinks on the machine that its options select. Positions arrive on the
/// interpreter; their history is replayed on the other machine, which uses the same names. `memory`
/// may be null and must outlive the result.
///
/// `machine=auto`: the network is built from the first `think` on, while the strategy thinks on the
/// interpreter. Once it is ready, the search continues on it and keeps what the strategy keeps. If
/// the network can't be built, the interpreter stays.
///
/// A limit by counts requires a match that repeats exactly. A change of machines at an uncertain
/// moment would prevent that, since moves come in another order. With `playouts` the interpreter
/// stays. With `nodes`, `depth` or `games` a search waits for the machine, as it does for
/// `machine=scalar` and `sliced`: for at most three quarters of its time, after which it thinks on
/// the interpreter until the machine is ready. `machine=interpreter`: the strategy unchanged.
std::unique_ptr<search::Strategy> accelerate(std::unique_ptr<search::Strategy> strategy,
                                             const search::StrategySpec& spec,
                                             gdl::MemoryBudget* memory);

}  // namespace ludens::agent
