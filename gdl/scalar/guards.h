// SPDX-License-Identifier: MIT
// Who is to move, taken out of the legal moves.
#pragma once

#include <optional>
#include <vector>

#include "gdl/network/network.h"

namespace ludens::gdl::scalar {

/// In a game of turns nearly all moves of a role are legal only while one fluent says that it is
/// the role's turn; when that fluent changes, so do all of them. With the guard taken out, only
/// what changes on the board changes legal moves.
struct Guard {
  std::uint32_t fluent;         // index in the network
  bool inverted;                // the moves need it to be false
  std::vector<bool> unguarded;  // [move of the network]: legal without regard to it
};

struct GuardedNetwork {
  /// A guarded move is legal where its edge and the guard of its role hold. Everything else is as
  /// it was.
  Network network;
  std::vector<std::optional<Guard>> guards;  // [role]
};

/// The network must have no feedbacks. Stopped, what comes back means nothing.
GuardedNetwork take_out_guards(const Network& network, StopPoll& poll);

}  // namespace ludens::gdl::scalar
