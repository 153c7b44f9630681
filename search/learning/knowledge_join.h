// SPDX-License-Identifier: MIT
// What several learners, which began with the same knowledge, have learned together.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "search/learning/knowledge.h"

namespace ludens::search {

/// Joins parts one after the other, in memory that does not grow with their number.
///
/// Each weight moves by the mean of its moves in the parts, in which a part counts by the sum of
/// the absolute errors that the weight met there: what one part alone has seen is kept whole. Where
/// several have seen the same, temporal coherence says whether the mean is enough: a weight that
/// errors push back and forth has arrived, and the mean removes noise; one that all errors push in
/// one direction is still on its way, and goes as far as in all parts together. The sums of errors
/// are those of one learner that met all errors.
class KnowledgeJoin {
 public:
  explicit KnowledgeJoin(Knowledge base);

  /// Takes up what a part has learned since the base. Parts may differ in how many tuples they have
  /// added. Returns a sentence, and learns nothing from the part, if it is not from the base.
  [[nodiscard]] std::optional<std::string> add(Knowledge part);

  /// The base and what all parts have learned since. Games and plies are sums; the seconds are
  /// those of the part that took longest, because parts learn at the same time.
  [[nodiscard]] Knowledge joined() const;

 private:
  /// What all parts have learned about a weight.
  struct Learned {
    void add(const TrainedWeight& base, const TrainedWeight& part);
    [[nodiscard]] TrainedWeight joined(const TrainedWeight& base) const;

    double moves = 0;                 // of the weight, each multiplied by what its part counts
    double counted = 0, squares = 0;  // sums of what the parts count, and of the squares
    double error_sum = 0, error_size = 0;
  };

  void extend_to_same_form(Knowledge& part);

  Knowledge base_;                // in the longest form of a part
  std::vector<Learned> learned_;  // [weight]
  LearningStatistics learned_statistics_;
};

}  // namespace ludens::search
