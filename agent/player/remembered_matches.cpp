// SPDX-License-Identifier: MIT
#include "agent/player/remembered_matches.h"

#include <algorithm>
#include <utility>

#include "gdl/text/tree_bytes.h"

namespace ludens::agent {

namespace {

constexpr std::size_t kMostMatches = 4;
/// A description that takes more than one part in `kShare` of the player's memory, or more than
/// `kMostBytes`, is not kept.
constexpr std::size_t kShare = 256;
constexpr std::size_t kMostBytes = std::size_t{4} << 20;

const std::string& id_of(const RememberedMatch& match) {
  return match.start.match_id;
}

}  // namespace

RememberedMatches::RememberedMatches(std::size_t memory_bytes)
    : most_bytes_(std::min(memory_bytes / kShare, kMostBytes)) {}

/// The text and its tree count together.
bool RememberedMatches::fits(const Part& description) const {
  if (description.tree == nullptr) return true;
  const std::string& text = description.tree->text();
  return text.size() <= most_bytes_ && gdl::tree_bytes(text) <= most_bytes_ - text.size();
}

void RememberedMatches::remember(RememberedMatch match) {
  take(id_of(match));
  matches_.push_back(std::move(match));
  if (matches_.size() > kMostMatches) matches_.pop_front();
}

std::optional<RememberedMatch> RememberedMatches::take(const std::string& match_id) {
  const auto found = std::ranges::find(matches_, match_id, id_of);
  if (found == matches_.end()) return std::nullopt;
  RememberedMatch match = std::move(*found);
  matches_.erase(found);
  return match;
}

const RememberedMatch* RememberedMatches::find(const std::string& match_id) const {
  const auto found = std::ranges::find(matches_, match_id, id_of);
  return found == matches_.end() ? nullptr : &*found;
}

}  // namespace ludens::agent
