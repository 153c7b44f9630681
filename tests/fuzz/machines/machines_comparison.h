// SPDX-License-Identifier: MIT
// One random rulesheet on all machines: shared by the suite's short run and the long program.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace ludens::gdl::tests {

struct FuzzResult {
  std::string problem;  // empty if all machines agree
  std::string refused;  // why there is no network, if there is none
  std::uint64_t states = 0;
};

/// How much of it is tried.
struct FuzzEffort {
  std::chrono::milliseconds patience{10'000};  // a rulesheet that takes longer is left alone
  std::uint32_t playouts = 6, step_cap = 24;
  bool means = true;  // whether goals of many playouts are compared too
};

/// Reads the text, builds every machine that this processor can run, and compares them all with the
/// interpreter at each step of random playouts; checks after every pass that the network says what
/// it said before; and compares mean goals of batches of playouts. A rulesheet with errors is a
/// problem too: the writer must not make any.
FuzzResult compare_all_machines(const std::string& text, std::uint64_t seed,
                                const FuzzEffort& effort = {});

/// The first random rulesheet after a seed in which something happens: a network of a dozen gates,
/// and playouts of several steps with more than one way to go on.
std::string lively_rulesheet(std::uint64_t seed);

/// The text without the forms that the problem does not need: as long as there is one.
std::string shrink(std::string text, std::uint64_t seed);

}  // namespace ludens::gdl::tests
