// SPDX-License-Identifier: MIT
#include "search/evaluation/fluent_features.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "gdl/machine/ground_term.h"

namespace ludens::search {

namespace {

/// A name, which arguments are compared, and their values.
using GroupKey = std::vector<std::uint32_t>;

/// With more arguments, pairs of them are not used.
constexpr std::size_t kMostArguments = 8;

GroupKey key_of(gdl::GroundTerm term, std::span<const gdl::GroundTerm> arguments,
                std::initializer_list<std::size_t> places) {
  GroupKey key{term[0], static_cast<std::uint32_t>(arguments.size())};
  for (const std::size_t place : places) {
    key.push_back(static_cast<std::uint32_t>(place));
    key.insert(key.end(), arguments[place].begin(), arguments[place].end());
  }
  return key;
}

/// The groups that contain a fluent, without groups that could only contain this fluent.
std::vector<GroupKey> groups_of(gdl::GroundTerm term) {
  const auto arguments = gdl::arguments_of(term);
  const std::size_t count = arguments.size();
  std::vector<GroupKey> keys;
  if (count == 0) return keys;
  keys.push_back(key_of(term, arguments, {}));
  for (std::size_t i = 0; i < count && count > 1; ++i) {
    keys.push_back(key_of(term, arguments, {i}));
    for (std::size_t j = i + 1; j < count && count > 2 && count <= kMostArguments; ++j) {
      keys.push_back(key_of(term, arguments, {i, j}));
    }
  }
  return keys;
}

}  // namespace

FluentFeatures::FluentFeatures(const gdl::Vocabulary& vocabulary) {
  const std::size_t fluents = vocabulary.fluent_count();
  std::map<GroupKey, std::vector<gdl::FluentId>> groups;
  for (gdl::FluentId fluent = 0; fluent < fluents; ++fluent) {
    const auto term = vocabulary.fluent_term(fluent);
    for (GroupKey& key : groups_of(term)) groups[std::move(key)].push_back(fluent);
  }
  std::vector<std::vector<std::uint32_t>> of(fluents);
  for (gdl::FluentId fluent = 0; fluent < fluents; ++fluent) of[fluent].push_back(fluent);
  feature_count_ = fluents;
  for (const auto& [key, members] : groups) {
    if (members.size() < 2) continue;
    for (const gdl::FluentId fluent : members) {
      of[fluent].push_back(static_cast<std::uint32_t>(feature_count_));
    }
    ++feature_count_;
  }
  for (const auto& features : of) {
    features_.insert(features_.end(), features.begin(), features.end());
    begin_.push_back(features_.size());
  }
}

void FluentFeatures::fold(std::span<const double> features, std::span<double> fluents) const {
  for (gdl::FluentId fluent = 0; fluent < fluent_count(); ++fluent) {
    fluents[fluent] = 0;
    for (const std::uint32_t feature : of(fluent)) fluents[fluent] += features[feature];
  }
}

void FluentFeatures::gather(std::span<const double> fluents, std::span<double> features) const {
  std::ranges::fill(features, 0.0);
  for (gdl::FluentId fluent = 0; fluent < fluent_count(); ++fluent) {
    for (const std::uint32_t feature : of(fluent)) features[feature] += fluents[fluent];
  }
}

}  // namespace ludens::search
