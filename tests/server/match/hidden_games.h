// SPDX-License-Identifier: MIT
// A game with hidden information for tests of the host, the records and the pages, and what players
// of it are to be told.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "server/player/protocol.h"
#include "server/records/match_record.h"

namespace ludens::server {

/// Three rounds. The hider hides in one of three holes, the seeker looks into one, and chance draws
/// the weather of the next round, which nobody sees. The seeker hears whether the hider was there
/// ("found") and, in fair weather, that nothing rustles; the hider hears where the seeker looked.
/// The words of what is hidden from the seeker stand in no word that it is told.
inline constexpr const char* kHideout =
    "(role seeker) (role hider) (role random) (hole north) (hole south) (hole west)"
    "(weather fair) (weather foggy)"
    "(init (round 0)) (init (sky fair)) (succ 0 1) (succ 1 2) (succ 2 3)"
    "(<= (legal seeker (look ?h)) (hole ?h)) (<= (legal hider (crouch ?h)) (hole ?h))"
    "(<= (legal random (bring ?w)) (weather ?w))"
    "(<= hit (does seeker (look ?h)) (does hider (crouch ?h)))"
    "(<= (sees seeker found) hit)"
    "(<= (sees seeker calm) (true (sky fair)) (does seeker (look ?h)) (not hit))"
    "(<= (sees hider (looked ?h)) (does seeker (look ?h)))"
    "(<= (next (round ?n)) (true (round ?m)) (succ ?m ?n))"
    "(<= (next (sky ?w)) (does random (bring ?w)))"
    "(<= (next (lair ?h)) (does hider (crouch ?h)))"
    "(<= (next (caught ?m)) (true (round ?m)) hit)"
    "(<= (next (caught ?m)) (true (caught ?m)))"
    "(<= terminal (true (round 3)))"
    "(<= caught_once (true (caught ?m)))"
    "(<= (goal seeker 100) caught_once) (<= (goal seeker 0) (not caught_once))"
    "(<= (goal hider 0) caught_once) (<= (goal hider 100) (not caught_once)) (goal random 50)";

/// What the player of a role learns before step `step` of the record, from 0.
inline OwnView view_of(const MatchRecord& record, std::size_t role, std::size_t step) {
  if (step == 0) return {};
  return {step, record.moves.at(step - 1).at(role), record.percepts.at(step - 1).at(role)};
}

}  // namespace ludens::server
