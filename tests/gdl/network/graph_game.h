// SPDX-License-Identifier: MIT
// A game whose ground rules depend on each other in circles: for the tests of network and machines.
#pragma once

namespace ludens::gdl::tests {

/// Two roles in turn burn bridges of a ring of five islands. Where one can get to from the first
/// island is recursive over the state, and what is cut off is negated recursion; from there one
/// signals on, recursively again. Who cuts the last island off has won.
inline constexpr const char* kGraphGame = R"(
(role left) (role right)
(init (control left))
(bridge 1 2) (bridge 2 3) (bridge 3 4) (bridge 4 5) (bridge 5 1) (bridge 2 4)
(<= (init (stands ?x ?y)) (bridge ?x ?y))
(<= (island ?x) (bridge ?x ?y))
(<= (legal ?r (burn ?x ?y)) (true (control ?r)) (true (stands ?x ?y)))
(<= (legal ?r noop) (role ?r) (not (true (control ?r))))
(<= (burnt ?x ?y) (does ?r (burn ?x ?y)))
(<= (next (stands ?x ?y)) (true (stands ?x ?y)) (not (burnt ?x ?y)))
(<= (next (control left)) (true (control right)))
(<= (next (control right)) (true (control left)))
(<= (way ?x ?y) (true (stands ?x ?y)))
(<= (way ?y ?x) (true (stands ?x ?y)))
(<= (reached 1) (role ?r))
(<= (reached ?y) (reached ?x) (way ?x ?y))
(<= (cut ?x) (island ?x) (not (reached ?x)))
(<= (signal ?x) (cut ?x) (way ?x ?y))
(<= (signal ?y) (signal ?x) (way ?x ?y))
(<= (signal ?y) (signal ?x) (smoke ?x ?y))
(<= (smoke ?x ?y) (bridge ?x ?y) (cut ?y))
(<= (next (lit ?x)) (signal ?x))
(<= (next (lit ?x)) (true (lit ?x)))
(<= terminal (cut ?x) (not (signal ?x)))
(<= terminal (not (standing)))
(<= (standing) (true (stands ?x ?y)))
(<= (goal ?r 100) (true (control ?r)) (not (lit_all)))
(<= (goal ?r 40) (true (control ?r)) (lit_all))
(<= (goal ?r 0) (role ?r) (not (true (control ?r))))
(<= (lit_all) (true (lit 3)) (true (lit 4)))
)";

}  // namespace ludens::gdl::tests
