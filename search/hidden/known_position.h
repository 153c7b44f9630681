// SPDX-License-Identifier: MIT
// Turns the true course of a match into what one role knows about it.
#pragma once

#include <span>
#include <vector>

#include "search/hidden/turn_filter.h"

namespace ludens::search::hidden {

/// Finds what a role knows after joint moves made since the initial state, stored contiguously: a
/// turn for each. After anything but Ok, `known` has only a part of them.
gdl::Status perceive(const gdl::Machine& machine, gdl::Machine::Context& context,
                     std::span<const gdl::MoveId> history, gdl::RoleIndex role,
                     std::vector<KnownTurn>& known);

/// Replaces state and history of a position by the likeliest ones that fit what the role knows
/// (`position.known`, which must be there). `match`: whether it goes on in the position. Takes a
/// quarter of the time until the deadline at most. If nothing that fits was found, which only
/// happens after anything but Ok or if the rules allow nothing that fits, the position stays as it
/// is, and `found` is false. It then shows what the role does not know, and must not be searched.
gdl::Status believe(Position& position, MatchPhase match, const Deadline& deadline,
                    gdl::MemoryBudget* memory, bool& found);

/// Takes back what a search has proved about such a position; without `position.known` that stays.
/// Searches that know a state prove things about one history that fits, and about a role that
/// perceives all that follows, even if no other history fits. Values stay, as estimates.
void forget_proofs(const Position& position, Choice& choice);
/// The same for a choice in a position that is only guessed.
void forget_proofs(Choice& choice);

/// Makes a choice in a believed position one for the true position, where these are the role's
/// legal moves (ascending, not empty): they can be others if flawed rules let them depend on what
/// the role does not perceive. A move that is not legal is replaced by the best one of
/// `choice.root` that is, or by the first legal one.
void make_legal(Choice& choice, std::span<const gdl::MoveId> legal);

}  // namespace ludens::search::hidden
