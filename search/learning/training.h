// SPDX-License-Identifier: MIT
// Weights while they are learned.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "search/learning/table_layout.h"

namespace ludens::search {

/// A weight, and the errors that it had a part in: their sum and that of their sizes.
struct TrainedWeight {
  float value = 0, error_sum = 0, error_size = 0;
};

/// Tables of weights with step sizes by temporal coherence (Beal and Smith 1999, as Bagheri et al.
/// 2015 use it for n-tuple networks): each weight learns at a rate of |N| / A, where N is the sum
/// of the errors that it had a part in and A that of their sizes. One that is pushed to and fro
/// comes to rest.
class Training {
 public:
  /// `rate`: of a step, for all weights of a state together.
  Training(TableLayout layout, std::size_t tables, double rate);

  /// Moves the value of a state towards `target`, in [0, 1].
  void learn(std::size_t table, const std::uint16_t* indices, float target);

  [[nodiscard]] const std::vector<float>& weights() const { return weights_; }
  [[nodiscard]] const TableLayout& layout() const { return layout_; }

  /// [table * entries + place]: all that has been learned.
  [[nodiscard]] std::vector<TrainedWeight> trained() const;
  /// Goes on from there; as many as there are weights.
  void restore(std::span<const TrainedWeight> trained);

  /// The bytes of such tables.
  static std::size_t bytes(const TableLayout& layout, std::size_t tables);

 private:
  struct Errors {
    float sum = 0, sizes = 0;
  };

  TableLayout layout_;
  float rate_;
  std::vector<float> weights_;  // [table * entries + place]
  std::vector<Errors> errors_;  // the same
};

}  // namespace ludens::search
