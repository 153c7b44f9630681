// SPDX-License-Identifier: MIT
#include "search/induction/matrix_game.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

#include "gdl/machine/rng.h"

namespace ludens::search {

namespace {

constexpr double kZero = 1e-9;
/// The perturbation of the bounds. Without it, degenerate pivots could cycle for ever.
constexpr double kSpread = 1e-5;
/// Random matrices of 600 rows and columns take about 10,000 pivots.
constexpr std::size_t kMostPivotsPerLine = 25;
constexpr double kClose = 1e-6;  // of the largest payoff in the tableau: what rounding may do
constexpr std::size_t kCellsBetween = std::size_t{1} << 16;  // between questions whether to stop

/// The linear program of the other side, which chooses columns: maximise the sum of y where
/// A y <= 1 and y >= 0, for positive payoffs A. Its dual variables are the rows'. The bounds stand
/// in two more columns: as they are, for the answer, and spread, by which variables leave.
class Tableau {
 public:
  Tableau(std::span<const double> payoffs, std::size_t columns)
      : rows_(payoffs.size() / columns), columns_(columns), cells_((rows_ + 1) * (columns_ + 2)) {
    const double lift = 1 - std::ranges::min(payoffs);
    gdl::Rng rng(1);
    for (std::size_t r = 0; r < rows_; ++r) {
      for (std::size_t c = 0; c < columns_; ++c) cell(r, c) = payoffs[r * columns_ + c] + lift;
      cell(r, columns_) = 1;
      cell(r, columns_ + 1) = 1 + kSpread * rng.uniform();
    }
    for (std::size_t c = 0; c < columns_; ++c) cell(rows_, c) = -1;
    for (std::size_t k = 0; k < columns_; ++k) nonbasic_.push_back(k);
    for (std::size_t k = 0; k < rows_; ++k) basic_.push_back(columns_ + k);
  }

  /// Ends early if it is stopped or after very many pivots.
  void solve(const gdl::StopSignal* stop) {
    std::size_t cells = 0;  // since it was last asked
    const std::size_t most = kMostPivotsPerLine * (rows_ + columns_);
    for (std::size_t pivots = 0; pivots < most; ++pivots) {
      cells += cells_.size();
      if (stop != nullptr && cells >= kCellsBetween) {
        cells = 0;
        if (stop->stop_requested()) return;
      }
      const auto column = entering();
      const auto row = column ? leaving(*column) : std::nullopt;
      if (!row) return;
      pivot(*row, *column);
    }
  }

  /// [row]: shares of rows, none of which is below 0. All are 0 before the first pivot.
  [[nodiscard]] std::vector<double> rows() const {
    std::vector<double> shares(rows_, 0.0);
    for (std::size_t c = 0; c < columns_; ++c) {
      if (nonbasic_[c] < columns_) continue;  // a variable of a column
      shares[nonbasic_[c] - columns_] = std::max(0.0, cell(rows_, c));
    }
    return shares;
  }

  /// [column]: the same of columns.
  [[nodiscard]] std::vector<double> columns() const {
    std::vector<double> shares(columns_, 0.0);
    for (std::size_t r = 0; r < rows_; ++r) {
      if (basic_[r] < columns_) shares[basic_[r]] = std::max(0.0, cell(r, columns_));
    }
    return shares;
  }

 private:
  double& cell(std::size_t row, std::size_t column) {
    return cells_[row * (columns_ + 2) + column];
  }
  [[nodiscard]] double cell(std::size_t row, std::size_t column) const {
    return cells_[row * (columns_ + 2) + column];
  }

  /// The column of which one unit increases the objective most (Dantzig's rule); nullopt if none
  /// does.
  [[nodiscard]] std::optional<std::size_t> entering() const {
    std::optional<std::size_t> best;
    for (std::size_t c = 0; c < columns_; ++c) {
      if (cell(rows_, c) < -kZero && (!best || cell(rows_, c) < cell(rows_, *best))) best = c;
    }
    return best;
  }

  [[nodiscard]] std::optional<std::size_t> leaving(std::size_t column) const {
    std::optional<std::size_t> best;
    double least = 0;
    for (std::size_t r = 0; r < rows_; ++r) {
      if (cell(r, column) <= kZero) continue;
      const double ratio = cell(r, columns_ + 1) / cell(r, column);
      if (best && ratio >= least) continue;
      best = r;
      least = ratio;
    }
    return best;
  }

  void pivot(std::size_t row, std::size_t column) {
    const double at = cell(row, column);
    for (std::size_t r = 0; r <= rows_; ++r) {
      if (r == row) continue;
      const double factor = cell(r, column) / at;
      for (std::size_t c = 0; c < columns_ + 2; ++c) {
        if (c != column) cell(r, c) -= factor * cell(row, c);
      }
      cell(r, column) = -factor;
    }
    for (std::size_t c = 0; c < columns_ + 2; ++c) cell(row, c) /= at;
    cell(row, column) = 1 / at;
    std::swap(basic_[row], nonbasic_[column]);
  }

  std::size_t rows_, columns_;
  std::vector<double> cells_;          // [row * (columns + 2) + column], the objective below
  std::vector<std::size_t> basic_;     // [row]: a variable: columns first, then slacks of rows
  std::vector<std::size_t> nonbasic_;  // [column]
};

/// Chances in proportion to the shares; even ones if all of these are 0.
std::vector<double> mixture(std::vector<double> shares) {
  double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
  if (sum == 0) {
    std::ranges::fill(shares, 1.0);
    sum = static_cast<double>(shares.size());
  }
  for (double& share : shares) share /= sum;
  return shares;
}

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

/// The largest mean that a row has against the mixture of columns.
double allowed(std::span<const double> payoffs, std::span<const double> columns) {
  double most = -std::numeric_limits<double>::infinity();
  for (auto row = payoffs.begin(); row != payoffs.end(); row += std::ssize(columns)) {
    most = std::max(most, std::inner_product(columns.begin(), columns.end(), row, 0.0));
  }
  return most;
}

}  // namespace

MatrixSolution solve_matrix_game(std::span<const double> payoffs, std::size_t columns,
                                 const gdl::StopSignal* stop) {
  Tableau tableau(payoffs, columns);
  tableau.solve(stop);
  MatrixSolution solution;
  solution.rows = mixture(tableau.rows());
  solution.value = guaranteed(payoffs, solution.rows, columns);
  const double spread = std::ranges::max(payoffs) - std::ranges::min(payoffs);
  const double bound = allowed(payoffs, mixture(tableau.columns()));
  solution.best = bound - solution.value <= kClose * (1 + spread);
  return solution;
}

}  // namespace ludens::search
