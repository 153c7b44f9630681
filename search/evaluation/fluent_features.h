// SPDX-License-Identifier: MIT
// What an evaluation that is learned can tell states apart by.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gdl/machine/vocabulary.h"

namespace ludens::search {

/// Features of a state: each fluent, and how many fluents of a group hold. A group are the fluents
/// of one name that agree in one argument or in two, or in the name alone: all pieces of a kind,
/// all that stand on a row, all of a kind on a row. It is read off the names of fluents, whatever
/// the game; what a group has taught holds for those of its fluents, too, that were seldom seen.
///
/// All features are sums over the fluents that hold, so a linear function of them is a sum of one
/// weight a fluent: `fold`.
class FluentFeatures {
 public:
  /// Of the fluents that are known by now.
  explicit FluentFeatures(const gdl::Vocabulary& vocabulary);

  [[nodiscard]] std::size_t size() const { return feature_count_; }
  [[nodiscard]] std::size_t fluent_count() const { return begin_.size() - 1; }
  /// The features that a fluent adds one to.
  [[nodiscard]] std::span<const std::uint32_t> of(gdl::FluentId fluent) const {
    return std::span(features_).subspan(begin_[fluent], begin_[fluent + 1] - begin_[fluent]);
  }
  /// From weights of features to those of fluents.
  void fold(std::span<const double> features, std::span<double> fluents) const;
  /// Adds up what is given for each fluent in the features that it is in: the transpose of `fold`.
  void gather(std::span<const double> fluents, std::span<double> features) const;

 private:
  std::size_t feature_count_ = 0;
  std::vector<std::size_t> begin_{0};    // [fluent], into features_
  std::vector<std::uint32_t> features_;  // the first of each fluent is its own
};

}  // namespace ludens::search
