// SPDX-License-Identifier: MIT
// Small games for tests of the host.
#pragma once

namespace ludens::server {

/// Three steps; each role picks a or b or passes; white wins if its last pick was a.
inline constexpr const char* kPicking =
    "(role white) (role black) (init (step 0)) (succ 0 1) (succ 1 2) (succ 2 3)"
    "(<= (legal ?r (pick a)) (role ?r)) (<= (legal ?r (pick b)) (role ?r))"
    "(<= (legal ?r noop) (role ?r))"
    "(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))"
    "(<= (next (chosen ?r ?x)) (does ?r (pick ?x)))"
    "(<= terminal (true (step 3)))"
    "(<= (goal white 100) (true (chosen white a)))"
    "(<= (goal white 0) (not (true (chosen white a)))) (goal black 50)";

/// A die is thrown until it shows six; only the die has a choice.
inline constexpr const char* kDice =
    "(role guest) (role random) (init (shows 1)) (face 1) (face 2) (face 3) (face 4) (face 5)"
    "(face 6) (legal guest wait) (<= (legal random (throw ?n)) (face ?n))"
    "(<= (next (shows ?n)) (does random (throw ?n))) (<= terminal (true (shows 6)))"
    "(<= (goal guest 100) (true (shows 6))) (goal random 0)";

/// After the first step black has no legal move.
inline constexpr const char* kStuck =
    "(role white) (role black) (init begun) (legal white go) (<= (legal black go) (true begun))"
    "(<= (next later) (does white go)) (<= terminal (true never)) (goal white 0) (goal black 0)";

/// Ends at once; white has no goal, black has two.
inline constexpr const char* kFlawedGoals =
    "(role white) (role black) (init begun) (legal white go) (legal black go)"
    "(<= (next over) (does white go)) (<= terminal (true over)) (goal black 30) (goal black 70)"
    "(<= (goal white 100) (true never))";

}  // namespace ludens::server
