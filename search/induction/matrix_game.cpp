// SPDX-License-Identifier: MIT
#include "search/induction/matrix_game.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

namespace ludens::search {

namespace {

constexpr double kZero = 1e-9;
/// Bland's rule ends in any case; this is for what rounding might do.
constexpr int kMostPivots = 10'000;
constexpr std::size_t kCellsBetween = std::size_t{1} << 16;  // between questions whether to stop

/// The linear programme of the other side, which chooses columns: maximise the sum of y where
/// A y <= 1 and y >= 0, for positive payoffs A. Its dual variables are the rows'.
class Tableau {
 public:
  Tableau(std::span<const double> payoffs, std::size_t columns)
      : rows_(payoffs.size() / columns), columns_(columns), cells_((rows_ + 1) * (columns_ + 1)) {
    const double lift = 1 - std::ranges::min(payoffs);
    for (std::size_t r = 0; r < rows_; ++r) {
      for (std::size_t c = 0; c < columns_; ++c) cell(r, c) = payoffs[r * columns_ + c] + lift;
      cell(r, columns_) = 1;
    }
    for (std::size_t c = 0; c < columns_; ++c) cell(rows_, c) = -1;
    for (std::size_t k = 0; k < columns_; ++k) nonbasic_.push_back(k);
    for (std::size_t k = 0; k < rows_; ++k) basic_.push_back(columns_ + k);
  }

  /// False if it was stopped, or if there were too many pivots.
  bool solve(const gdl::StopSignal* stop) {
    std::size_t cells = 0;  // since it was last asked
    for (int pivots = 0; pivots < kMostPivots; ++pivots) {
      cells += cells_.size();
      if (stop != nullptr && cells >= kCellsBetween) {
        cells = 0;
        if (stop->stop_requested()) return false;
      }
      const auto column = entering();
      const auto row = column ? leaving(*column) : std::nullopt;
      if (!row) return true;
      pivot(*row, *column);
    }
    return false;
  }

  /// The chance of each row. Rounding keeps them from adding up to 1 exactly, and before the first
  /// pivot all of them are 0.
  [[nodiscard]] std::vector<double> chances() const {
    std::vector<double> chances(rows_, 0.0);
    const double sum = cell(rows_, columns_);
    for (std::size_t c = 0; c < columns_; ++c) {
      if (nonbasic_[c] < columns_) continue;  // a variable of a column
      chances[nonbasic_[c] - columns_] = std::max(0.0, cell(rows_, c) / sum);
    }
    return chances;
  }

 private:
  double& cell(std::size_t row, std::size_t column) {
    return cells_[row * (columns_ + 1) + column];
  }
  [[nodiscard]] double cell(std::size_t row, std::size_t column) const {
    return cells_[row * (columns_ + 1) + column];
  }

  std::optional<std::size_t> entering() {
    std::optional<std::size_t> best;
    for (std::size_t c = 0; c < columns_; ++c) {
      if (cell(rows_, c) < -kZero && (!best || nonbasic_[c] < nonbasic_[*best])) best = c;
    }
    return best;
  }

  std::optional<std::size_t> leaving(std::size_t column) {
    std::optional<std::size_t> best;
    double least = 0;
    for (std::size_t r = 0; r < rows_; ++r) {
      if (cell(r, column) <= kZero) continue;
      const double ratio = cell(r, columns_) / cell(r, column);
      const bool equal = best && ratio <= least + kZero && ratio >= least - kZero;
      if (!best || (equal ? basic_[r] < basic_[*best] : ratio < least)) {
        best = r;
        least = ratio;
      }
    }
    return best;
  }

  void pivot(std::size_t row, std::size_t column) {
    const double at = cell(row, column);
    for (std::size_t r = 0; r <= rows_; ++r) {
      if (r == row) continue;
      const double factor = cell(r, column) / at;
      for (std::size_t c = 0; c <= columns_; ++c) {
        if (c != column) cell(r, c) -= factor * cell(row, c);
      }
      cell(r, column) = -factor;
    }
    for (std::size_t c = 0; c <= columns_; ++c) cell(row, c) /= at;
    cell(row, column) = 1 / at;
    std::swap(basic_[row], nonbasic_[column]);
  }

  std::size_t rows_, columns_;
  std::vector<double> cells_;          // [row * (columns + 1) + column], the objective below
  std::vector<std::size_t> basic_;     // [row]: a variable: columns first, then slacks of rows
  std::vector<std::size_t> nonbasic_;  // [column]
};

/// The least mean that the mixture has against a column.
double guaranteed(std::span<const double> payoffs, std::span<const double> rows,
                  std::size_t columns) {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t c = 0; c < columns; ++c) {
    double mean = 0;
    for (std::size_t r = 0; r < rows.size(); ++r) mean += rows[r] * payoffs[r * columns + c];
    least = std::min(least, mean);
  }
  return least;
}

}  // namespace

MatrixSolution solve_matrix_game(std::span<const double> payoffs, std::size_t columns,
                                 const gdl::StopSignal* stop) {
  MatrixSolution solution;
  Tableau tableau(payoffs, columns);
  solution.best = tableau.solve(stop);
  solution.rows = tableau.chances();
  double sum = 0;
  for (const double chance : solution.rows) sum += chance;
  if (sum == 0) {  // stopped before there was a mixture
    solution.rows.assign(solution.rows.size(), 1);
    sum = static_cast<double>(solution.rows.size());
  }
  for (double& chance : solution.rows) chance /= sum;
  solution.value = guaranteed(payoffs, solution.rows, columns);
  return solution;
}

}  // namespace ludens::search
