// SPDX-License-Identifier: MIT
// The machine on which a command works: the interpreter at once, and the fast one once it is ready.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "agent/reasoner/acceleration.h"
#include "gdl/machine/machine.h"
#include "gdl/text/error.h"
#include "search/strategy/stopping.h"
#include "search/strategy/strategy.h"

namespace ludens::server {

/// Has a machine from the beginning, and moves work to a faster one that is being built meanwhile.
/// For one thread.
class PreparedMachine {
 public:
  PreparedMachine() = default;
  /// Waits for the machine of that name until `patience`, and builds it until `deadline`. Fails
  /// with a sentence if there is no such machine of this game, as far as is known by then; `auto`
  /// is the interpreter then, which is also what there is at first of a machine that is not ready.
  static gdl::Result<PreparedMachine> make(const std::string& name,
                                           const std::shared_ptr<gdl::Vocabulary>& vocabulary,
                                           const search::Deadline& deadline,
                                           search::TimePoint patience);

  /// The one that there was at first.
  [[nodiscard]] const std::shared_ptr<const gdl::Machine>& first() const { return first_; }
  /// Nothing faster is wanted.
  void settle() { acceleration_.reset(); }
  /// As `agent::Acceleration::run`, for a position on the first machine.
  void run(const search::Position& position, const search::Deadline& deadline,
           const agent::Acceleration::Work& work);
  /// On which machine work was done last and since when, or why on none; empty if only on the
  /// first.
  [[nodiscard]] std::string summary() const;

 private:
  std::shared_ptr<const gdl::Machine> first_;
  std::unique_ptr<agent::Acceleration> acceleration_;  // null: the first machine stays
};

}  // namespace ludens::server
