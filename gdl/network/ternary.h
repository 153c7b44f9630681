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

/// A value is open if it can be both true and false in the course of a play. Values only ever
/// become open, so that every edge is visited once. Proceeds step by step: what can't change before
/// the n-th step of a play becomes open in round n.
class TernarySimulation {
 public:
  explicit TernarySimulation(const Network& network, const StopSignal* stop = nullptr);

  /// False if it was stopped: an incomplete simulation proves nothing.
  bool run();

  /// The values at the end of `run`, by index in the network.
  [[nodiscard]] std::vector<Known> fluents() const;
  [[nodiscard]] std::vector<Known> moves() const;
  /// The number of steps before which a fluent has its initial value in every play; 0 if it never
  /// changes.
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
