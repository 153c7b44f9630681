// SPDX-License-Identifier: MIT
// Separates whose turn it is from the legal moves.
#pragma once

#include <optional>
#include <vector>

#include "gdl/network/network.h"

namespace ludens::gdl::scalar {

/// In a game of turns nearly all moves of a role are legal only while one fluent says that it is
/// the role's turn; when that fluent changes, so do all of them. Without the guard, legal moves
/// change only with the board.
struct Guard {
  std::uint32_t fluent;         // index in the network
  bool inverted;                // the moves need it to be false
  std::vector<bool> unguarded;  // [move of the network]: legal independently of it
};

struct GuardedNetwork {
  /// A guarded move is legal if its edge and the guard of its role hold. Everything else is
  /// unchanged.
  Network network;
  std::vector<std::optional<Guard>> guards;  // [role]
};

/// The network must have no feedbacks. If stopped, the result means nothing.
GuardedNetwork take_out_guards(const Network& network, StopPoll& poll);

}  // namespace ludens::gdl::scalar
