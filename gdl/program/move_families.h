// SPDX-License-Identifier: MIT
// Finds moves whose conditions have a part in common, as those of one piece to one square that
// differ in what is shot at from there.
#pragma once

#include "gdl/memory/limits.h"
#include "gdl/program/move_sets.h"

namespace ludens::gdl {

/// Divides the conditions of moves that are described by sets into two parts where that pays, and
/// adds gates for the parts to the network. Leaves `parts` empty of families if there are few such
/// moves. If stopped, the result means nothing.
void find_families(SetNetwork& network, StopPoll& poll);

}  // namespace ludens::gdl
