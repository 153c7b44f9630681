// SPDX-License-Identifier: MIT
// Weights while they are learned.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "search/learning/table_layout.h"

namespace ludens::search {

/// A weight, and the errors in which it was involved: their sum and the sum of their absolute
/// values.
struct TrainedWeight {
  float value = 0, error_sum = 0, error_size = 0;
};

/// Tables of weights with step sizes by temporal coherence (Beal and Smith 1999, as Bagheri et al.
/// 2015 use it for n-tuple networks): each weight learns at a rate of |N| / A, where N is the sum
/// of the errors in which it was involved, and A the sum of their absolute values. A weight that is
/// pushed back and forth comes to rest.
///
/// Threads: any number may learn and read weights at the same time. None waits for another. If two
/// threads update the same weight at the same moment, one update is lost, which is rare (Hogwild,
/// Recht et al. 2011).
class Training {
 public:
  /// `rate`: the rate of a step, for all weights of a state together.
  Training(TableLayout layout, std::size_t tables, double rate);

  /// Moves the value of a state towards `target`, in [0, 1].
  void learn(const ValueSource& source, const std::uint16_t* indices, float target);

  /// [table * entries + place]: to be read by `tables::read`.
  [[nodiscard]] const float* weights() const { return weights_.data(); }
  [[nodiscard]] std::size_t weight_count() const { return weights_.size(); }
  [[nodiscard]] std::vector<float> copy_of_weights() const;
  [[nodiscard]] const TableLayout& layout() const { return layout_; }

  /// [table * entries + place]: everything that has been learned.
  [[nodiscard]] std::vector<TrainedWeight> trained() const;
  /// Continues from these; there must be as many as there are weights.
  void restore(std::span<const TrainedWeight> trained);

  /// The memory of such tables in bytes.
  static std::size_t bytes(const TableLayout& layout, std::size_t tables);

 private:
  /// Doubles: a sum of floats no longer grows by errors once there were millions of them.
  struct alignas(2 * sizeof(double)) Errors {
    double sum = 0, sizes = 0;
  };

  TableLayout layout_;
  float rate_;
  std::vector<float> weights_;
  std::vector<Errors> errors_;  // [table * entries + place]
};

}  // namespace ludens::search
