// SPDX-License-Identifier: MIT
#include "server/tournament/completed_blocks.h"

#include <algorithm>

#include "server/tournament/plan.h"

namespace ludens::server {

std::optional<std::vector<MatchResult>> BlockBook::add(const MatchResult& result) {
  auto& matches = open_[result.block.number];
  matches.push_back(result);
  if (matches.size() < result.block.size) return std::nullopt;
  std::sort(matches.begin(), matches.end(), [](const MatchResult& a, const MatchResult& b) {
    return a.block.rotation < b.block.rotation;
  });
  auto node = open_.extract(result.block.number);
  return complete_.insert(std::move(node)).position->second;
}

std::optional<std::vector<MatchResult>> BlockBook::next_in_order() {
  const auto found = complete_.find(next_);
  if (found == complete_.end()) return std::nullopt;
  std::vector<MatchResult> matches = std::move(found->second);
  complete_.erase(found);
  next_ += shard_.count;
  return matches;
}

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
