// SPDX-License-Identifier: MIT
// A game as the players of a match are told it: in its own words, or in others.
#pragma once

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

/// A move as players are told it: as text for those elsewhere, and as a ground term of the rules
/// told for those in this process.
struct ToldMove {
  std::string text;
  std::vector<std::uint32_t> term;
};

/// One a role; empty for 'no moves'.
using ToldMoves = std::vector<ToldMove>;

/// Immutable; shared by the host and all players of a match, and thread-safe.
class ToldGame {
 public:
  /// In its own words.
  explicit ToldGame(std::shared_ptr<const gdl::Rules> rules);
  /// In the words of the scrambler.
  ToldGame(std::shared_ptr<const gdl::Rules> rules, Scrambler scrambler);

  /// As players are told them.
  [[nodiscard]] const std::shared_ptr<const gdl::Rules>& rules() const { return told_; }
  /// `( rule rule ... )` on one line, as START carries it; made when it is first asked for.
  [[nodiscard]] const std::string& description() const;
  [[nodiscard]] std::string role(gdl::RoleIndex role) const;
  /// The host's names for moves are terms of the rules that it plays by.
  [[nodiscard]] ToldMove tell(const gdl::Vocabulary& names, gdl::MoveId move) const;
  /// What a player tells, as a term of the host's rules.
  [[nodiscard]] std::vector<std::uint32_t> hear(gdl::GroundTerm term) const;
  /// A move written in the words told; nullopt for what is none.
  [[nodiscard]] std::optional<ToldMove> find_move(std::string_view text) const;
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
