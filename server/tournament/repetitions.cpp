// SPDX-License-Identifier: MIT
#include "server/tournament/repetitions.h"

#include "server/tournament/plan.h"

namespace ludens::server {

void Repetitions::add(std::span<const MatchResult> block) {
  std::string text;
  for (const MatchResult& match : block) {
    if (!match.completed()) return;
    text += match.game + "\n";
    for (const std::string& player : match.players) text += player + "\n";
    text += match.moves_hash + "\n";
  }
  ++blocks_;
  if (!seen_.insert(text_hash(text)).second) ++repeated_;
}

std::string Repetitions::warning() const {
  if (repeated_ == 0) return {};
  return std::to_string(repeated_) + " of " + std::to_string(blocks_) +
         " blocks repeat an earlier one move by move and add no knowledge: intervals are too "
         "narrow. Players vary with ties=random, or with playouts and no seed of their own";
}

}  // namespace ludens::server
