// SPDX-License-Identifier: MIT
// A small game with moves at once, for tests of the agent.
#pragma once

namespace ludens::agent {

/// Two roles that both choose at every step, the same moves always, without end.
inline constexpr const char* kHands = R"((
  (role a) (role b) (init (round odd))
  (hand hold) (hand show)
  (<= (legal ?r ?h) (role ?r) (hand ?h))
  (<= (next (round even)) (true (round odd)))
  (<= (next (round odd)) (true (round even)))
  (<= (next (shown ?r ?h)) (does ?r ?h))
  (<= terminal (true never)) (goal a 0) (goal b 0)))";

}  // namespace ludens::agent
