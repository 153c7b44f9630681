// SPDX-License-Identifier: MIT
// A game of two moves, for tests that play or replay many matches.
#pragma once

namespace ludens {

/// Two roles take one piece each in turn; white wins.
inline constexpr const char* kHeapGame =
    "(role white) (role black) (init (heap 2)) (init (control white))\n"
    "(<= (legal ?p (take 1)) (true (control ?p)))\n"
    "(<= (legal ?p noop) (role ?p) (not (true (control ?p))))\n"
    "(<= (next (heap 1)) (true (heap 2))) (<= (next (heap 0)) (true (heap 1)))\n"
    "(<= (next (control white)) (true (control black)))\n"
    "(<= (next (control black)) (true (control white)))\n"
    "(<= terminal (true (heap 0))) (goal white 100) (goal black 0)\n";

}  // namespace ludens
