// SPDX-License-Identifier: MIT
// The features by which a learned evaluation distinguishes states.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gdl/machine/vocabulary.h"

namespace ludens::search {

/// Features of a state: each fluent, and how many fluents of a group hold. A group consists of the
/// fluents with one name that agree in one or two arguments, or only in the name: all pieces of a
/// kind, all pieces on a row, all pieces of a kind on a row. Groups are read off the names of
/// fluents, whatever the game. What was learned for a group also applies to its rarely seen
/// fluents.
///
/// All features are sums over the fluents that hold, so a linear function of them is a sum of one
/// weight per fluent: `fold`.
class FluentFeatures {
 public:
  /// Makes features for all fluents known so far.
  explicit FluentFeatures(const gdl::Vocabulary& vocabulary);

  [[nodiscard]] std::size_t size() const { return feature_count_; }
  [[nodiscard]] std::size_t fluent_count() const { return begin_.size() - 1; }
  /// The features that a fluent adds one to.
  [[nodiscard]] std::span<const std::uint32_t> of(gdl::FluentId fluent) const {
    return std::span(features_).subspan(begin_[fluent], begin_[fluent + 1] - begin_[fluent]);
  }
  /// Converts weights of features to weights of fluents.
  void fold(std::span<const double> features, std::span<double> fluents) const;
  /// Adds the value of each fluent to all features that contain it: the transpose of `fold`.
  void gather(std::span<const double> fluents, std::span<double> features) const;

 private:
  std::size_t feature_count_ = 0;
  std::vector<std::size_t> begin_{0};    // [fluent], into features_
  std::vector<std::uint32_t> features_;  // the first of each fluent is its own
};

}  // namespace ludens::search
