// SPDX-License-Identifier: MIT
// Three-valued simulation of all plays at once.
#pragma once

#include <cstdint>
#include <vector>

#include "gdl/memory/limits.h"
#include "gdl/network/fan_out.h"
#include "gdl/network/network.h"

namespace ludens::gdl {

enum class Known : std::uint8_t { False, True, Open };

/// What can take both values from the initial state on is open; values only ever become open, so
/// that every edge is looked at once. Goes step by step: what can't change before the n-th step of
/// a play opens in round n.
class TernarySimulation {
 public:
  explicit TernarySimulation(const Network& network, const StopSignal* stop = nullptr);

  /// False if it was stopped: half a simulation proves nothing.
  bool run();

  /// As of the end of `run`, by index in the network.
  [[nodiscard]] std::vector<Known> fluents() const;
  [[nodiscard]] std::vector<Known> moves() const;
  /// Steps before which a fluent has its initial value in every play; 0 for one that never changes.
  [[nodiscard]] std::uint32_t changes_after(std::uint32_t fluent) const {
    return changes_after_[fluent];
  }

 private:
  struct Opened {
    NodeId node;
    Known before;
  };

  [[nodiscard]] Known value(Edge e) const;
  void set_initial_values();
  void open(NodeId n);
  void look_at_fluent(std::uint32_t f);
  void look_at_move(std::uint32_t m);
  void look_at_feedback(std::uint32_t f);
  void look_at(FanOut::Output output);
  void tell(Edge reader, Known before);
  bool settle();

  const Network& network_;
  StopPoll poll_;
  const FanOut fan_out_;
  std::vector<Known> values_;          // [node]
  std::vector<std::uint32_t> falses_;  // [gate]: inputs that are false for certain
  std::vector<Opened> stack_;
  std::vector<std::uint32_t> next_round_;     // fluents that open in the next round
  std::vector<std::uint32_t> changes_after_;  // [fluent]
};

}  // namespace ludens::gdl
