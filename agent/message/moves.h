// SPDX-License-Identifier: MIT
// Moves as they are reported to a player.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "agent/message/message.h"
#include "gdl/machine/vocabulary.h"

namespace ludens::agent {

/// The text by which two PLAYs are the same: lower case, one space between tokens; empty for 'no
/// moves' (an atom, `()`, or nothing).
std::string moves_key(const Part& moves);

/// The nodes of a joint move, one a role; empty for 'no moves'.
std::vector<gdl::NodeIndex> moves_of(const Part& moves);

/// The cells of a ground term (`gdl::GroundTerm`); nullopt for what is none, or has other words.
std::optional<std::vector<std::uint32_t>> ground_term(const gdl::Symbols& symbols,
                                                      const gdl::SyntaxTree& tree,
                                                      gdl::NodeIndex node);

/// The id of a move, made if no machine has derived it yet; nullopt for what is no ground term of
/// this game's words. `(noop)` is read as `noop`: the host's word goes, whatever it looks like.
std::optional<gdl::MoveId> intern_move(gdl::Vocabulary& vocabulary, const gdl::SyntaxTree& tree,
                                       gdl::NodeIndex node);

/// A joint move as terms of the rules that the player was given, one a role; empty for 'no moves'.
using GroundMoves = std::vector<std::vector<std::uint32_t>>;

/// The move of the role in control, all others having none to choose; absent for 'no moves'.
struct OneMove {
  Part move;
};

/// A term: as text by a host elsewhere, as the cells of a ground term by one in this process.
using ReportedTerm = std::variant<Part, std::vector<std::uint32_t>>;

/// What a role is told of a turn where information is hidden.
struct Perceived {
  /// Joint moves made so far; nullopt: one more than before, by a host that does not count them.
  std::optional<std::size_t> turn = std::nullopt;
  std::optional<ReportedTerm> own = std::nullopt;  // the role's last move, where it is known
  std::vector<ReportedTerm> percepts = {};
};

/// A joint move as it is reported: as text by a host elsewhere, as terms by one in this process.
using ReportedMoves = std::variant<Part, GroundMoves, OneMove, Perceived>;

/// The joint move where one role moves and all others have one move to make; nullopt if nobody can
/// make the move. `legal` by role.
std::optional<std::vector<gdl::MoveId>> with_waiting(
    const std::vector<std::vector<gdl::MoveId>>& legal, gdl::MoveId move);

/// How many moves are named; 0 for 'no moves', and where information is hidden.
std::size_t move_count(const ReportedMoves& moves);

/// The id of the move with this index; nullopt for what is no ground term of this game's words.
std::optional<gdl::MoveId> intern_move(gdl::Vocabulary& vocabulary, const ReportedMoves& moves,
                                       std::size_t index);

/// The move with this index, for people.
std::string move_text(const gdl::Rules& rules, const ReportedMoves& moves, std::size_t index);

/// The id of a move, or of what was perceived; nullopt for what is no ground term of this game's
/// words.
std::optional<gdl::MoveId> intern_move(gdl::Vocabulary& vocabulary, const ReportedTerm& term);
std::optional<gdl::PerceptId> intern_percept(gdl::Vocabulary& vocabulary, const ReportedTerm& term);

/// The term, for people.
std::string term_text(const gdl::Rules& rules, const ReportedTerm& term);

}  // namespace ludens::agent
