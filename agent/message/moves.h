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

/// The moves of a PLAY as the host spells them, one space between tokens; empty for 'no moves': an
/// atom, `()`, or nothing. `one_mover`: an atom is a move.
std::string moves_text(const Part& moves, bool one_mover = false);

/// The nodes of a joint move, one per role; empty for 'no moves'.
std::vector<gdl::NodeIndex> moves_of(const Part& moves);

/// The id of a move, which is created if no machine has derived it yet; nullopt if it is not a
/// ground term of this game's words.
std::optional<gdl::MoveId> intern_move(gdl::Vocabulary& vocabulary, const gdl::SyntaxTree& tree,
                                       gdl::NodeIndex node);

/// A joint move as terms of the rules that the player was given, one per role; empty for 'no
/// moves'.
using GroundMoves = std::vector<std::vector<std::uint32_t>>;

/// The move of the role in control, where all others have no choice; absent for 'no moves'.
struct OneMove {
  Part move;
};

/// A term: as text from a remote host, or as the cells of a ground term from a host in this
/// process.
using ReportedTerm = std::variant<Part, std::vector<std::uint32_t>>;

/// What a role learns about a turn if information is hidden.
struct Perceived {
  /// Joint moves made so far; nullopt: one more than before, from a host that does not count them.
  std::optional<std::size_t> turn = std::nullopt;
  std::optional<ReportedTerm> own = std::nullopt;  // the role's last move, if it is known
  std::vector<ReportedTerm> percepts = {};
};

/// A reported joint move: as text from a remote host, or as terms from a host in this process.
using ReportedMoves = std::variant<Part, GroundMoves, OneMove, Perceived>;

/// The joint move if one role moves and all others have only one move; nullopt if no role can make
/// the move. `legal` is by role.
std::optional<std::vector<gdl::MoveId>> with_waiting(
    const std::vector<std::vector<gdl::MoveId>>& legal, gdl::MoveId move);

/// The number of moves; 0 for 'no moves', and if information is hidden.
std::size_t move_count(const ReportedMoves& moves);

/// The id of the move with this index; nullopt if it is not a ground term of this game's words.
std::optional<gdl::MoveId> intern_move(gdl::Vocabulary& vocabulary, const ReportedMoves& moves,
                                       std::size_t index);

/// The move with this index, for people.
std::string move_text(const gdl::Rules& rules, const ReportedMoves& moves, std::size_t index);

/// The id of a move or a percept; nullopt if it is not a ground term of this game's words.
std::optional<gdl::MoveId> intern_move(gdl::Vocabulary& vocabulary, const ReportedTerm& term);
std::optional<gdl::PerceptId> intern_percept(gdl::Vocabulary& vocabulary, const ReportedTerm& term);

/// The term, for people.
std::string term_text(const gdl::Rules& rules, const ReportedTerm& term);

}  // namespace ludens::agent
