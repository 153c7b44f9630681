// SPDX-License-Identifier: MIT
#include "server/tournament/block_book.h"

#include <algorithm>

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

}  // namespace ludens::server
