// SPDX-License-Identifier: MIT
// A game as the players of a match get it: in its own words, or in others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gdl/machine/vocabulary.h"
#include "gdl/rules/rules.h"
#include "server/match/scrambler.h"

namespace ludens::server {

/// A move as players get it: as text for remote players, and as a ground term of their rules for
/// those in this process.
struct ToldMove {
  std::string text;
  std::vector<std::uint32_t> term;
};

/// One per role; empty for 'no moves'.
using ToldMoves = std::vector<ToldMove>;

/// What one player gets with PLAY and STOP.
struct ToldTurn {
  std::size_t number = 0;  // joint moves made
  /// The last joint move; empty before the first, and if the rules hide it.
  ToldMoves moves = {};
  // If they do:
  std::optional<ToldMove> own = std::nullopt;  // the player's own last move; none before the first
  std::vector<ToldMove> percepts = {};  // what the player perceives (`sees`), in order of the texts
};

/// Immutable; shared by the host and all players of a match, and thread-safe.
class ToldGame {
 public:
  /// In its own words.
  explicit ToldGame(std::shared_ptr<const gdl::Rules> rules);
  /// In the words of the scrambler.
  ToldGame(std::shared_ptr<const gdl::Rules> rules, Scrambler scrambler);

  /// The rules as players get them.
  [[nodiscard]] const std::shared_ptr<const gdl::Rules>& rules() const { return told_; }
  /// Whether a player gets its percepts (`sees`) instead of the joint moves.
  [[nodiscard]] bool hides_moves() const { return told_->has_rule(gdl::kSees); }
  /// `( rule rule ... )` on one line, as START carries it; created on first use.
  [[nodiscard]] const std::string& description() const;
  [[nodiscard]] std::string role(gdl::RoleIndex role) const;
  /// The host's names for moves are terms of the rules that it plays by.
  [[nodiscard]] ToldMove tell(const gdl::Vocabulary& names, gdl::MoveId move) const;
  [[nodiscard]] ToldMove tell_percept(const gdl::Vocabulary& names, gdl::PerceptId percept) const;
  /// Converts a player's term to a term of the host's rules.
  [[nodiscard]] std::vector<std::uint32_t> hear(gdl::GroundTerm term) const;
  /// A move, or a percept, written in the players' words; nullopt if it is not one.
  [[nodiscard]] std::optional<ToldMove> find_term(std::string_view text) const;
  [[nodiscard]] const Scrambler& scrambler() const { return scrambler_; }

 private:
  std::shared_ptr<const gdl::Rules> own_, told_;
  Scrambler scrambler_;
  std::vector<gdl::SymbolId> there_, back_;  // by symbol; empty: the rules are the same
  mutable std::once_flag described_;
  mutable std::string description_;
};

/// All rules on one line, as START carries them.
std::string start_description(const gdl::SyntaxTree& rulesheet);

}  // namespace ludens::server
