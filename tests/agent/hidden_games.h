// SPDX-License-Identifier: MIT
// Small games with hidden information, for tests of the agent.
#pragma once

namespace ludens::agent {

/// Four rounds. In each the seeker looks into one of three boxes while the hider hides in one of
/// them. The seeker hears whether it has found the hider; the hider, where the seeker looked. Who
/// was found can't hide in the same box in the next round.
inline constexpr const char* kHiding = R"((
  (role seeker) (role hider) (box a) (box b) (box c)
  (init (round 1)) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5)
  (<= (legal seeker (Look ?b)) (box ?b))
  (<= (legal hider (hide ?b)) (box ?b) (not (true (burnt ?b))))
  (<= (sees seeker (found ?b)) (does seeker (look ?b)) (does hider (hide ?b)))
  (<= (sees hider (looked ?b)) (does seeker (look ?b)))
  (<= (next (burnt ?b)) (does seeker (look ?b)) (does hider (hide ?b)))
  (<= (next (round ?n)) (true (round ?m)) (succ ?m ?n))
  (<= (next (in ?b)) (does hider (hide ?b)))
  (<= terminal (true (round 5)))
  (<= (goal seeker 100) (true (in a))) (<= (goal seeker 0) (not (true (in a))))
  (goal hider 50)))";

/// The dealer, chance, turns up a card that the guest alone sees; then the guest says its colour,
/// once. Only the guest's colour may be said by the rules, so legal moves follow what was seen.
inline constexpr const char* kCard = R"((
  (role guest) (role random) (colour red) (colour black) (init dealing)
  (<= (legal random (deal ?c)) (true dealing) (colour ?c))
  (<= (legal random wait) (not (true dealing)))
  (<= (legal guest wait) (true dealing))
  (<= (legal guest (say ?c)) (true (card ?c)))
  (<= (sees guest (card ?c)) (does random (deal ?c)))
  (<= (next (card ?c)) (does random (deal ?c)))
  (<= (next said) (does guest (say ?c)))
  (<= terminal (true said)) (<= (goal guest 100) (true said)) (<= (goal guest 0) (not (true said)))
  (goal random 0)))";

}  // namespace ludens::agent
