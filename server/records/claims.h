// SPDX-License-Identifier: MIT
// Did players get what they had proved that they would get?
#pragma once

#include <vector>

#include "server/records/match_record.h"
#include "server/records/replay.h"

namespace ludens::server {

/// What a role had proved and did not get, in a match that was played to the end: a fault of its
/// search. A claim is valid as long as the role makes its own moves and does not give up what it
/// claimed for a better mean; no claim is valid if chance plays, since bounds are then means.
std::vector<Disagreement> broken_claims(const MatchRecord& record);

}  // namespace ludens::server
