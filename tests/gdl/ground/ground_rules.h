// SPDX-License-Identifier: MIT
// Small rulesheets to ground, shared by the tests of grounder, network and machines.
#pragma once

#include <memory>
#include <string>
#include <variant>

#include "gdl/ground/grounder.h"
#include "gdl/rules/read.h"

namespace ludens::gdl::tests {

inline std::shared_ptr<const Rules> rules_of(std::string text) {
  return read_rules(std::move(text)).normalised.rules;
}

inline Result<GroundProgram, GroundingFailure> ground_text(std::string text) {
  return ground(rules_of(std::move(text)), {});
}

/// Two roles in turn take one or two from a heap of five; who takes the last wins. `parity` matters
/// to nobody.
inline constexpr const char* kHeap = R"(
(role left) (role right)
(init (heap 5)) (init (control left)) (init (parity even))
(minus 5 1 4) (minus 4 1 3) (minus 3 1 2) (minus 2 1 1) (minus 1 1 0)
(minus 5 2 3) (minus 4 2 2) (minus 3 2 1) (minus 2 2 0)
(<= (legal ?r (take ?n)) (true (control ?r)) (true (heap ?h)) (minus ?h ?n ?rest))
(<= (legal ?r noop) (role ?r) (not (true (control ?r))))
(<= (next (heap ?rest)) (does ?r (take ?n)) (true (heap ?h)) (minus ?h ?n ?rest))
(<= (next (control left)) (true (control right)))
(<= (next (control right)) (true (control left)))
(<= (next (parity odd)) (true (parity even)))
(<= (next (parity even)) (true (parity odd)))
(<= terminal (true (heap 0)))
(<= (goal ?r 0) (true (control ?r)))
(<= (goal ?r 100) (role ?r) (not (true (control ?r))))
)";

}  // namespace ludens::gdl::tests
