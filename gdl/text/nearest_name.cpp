// SPDX-License-Identifier: MIT
#include "gdl/text/nearest_name.h"

#include <algorithm>
#include <string>
#include <vector>

#include "gdl/text/syntax.h"

namespace ludens::gdl {

namespace {

// Optimal string alignment over three rows.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before[j - 2] + 1);
      }
    }
    before.swap(last);
    last.swap(row);
  }
  return last[b.size()];
}

}  // namespace

std::optional<std::string_view> nearest_name(std::string_view name,
                                             std::span<const std::string_view> known,
                                             const GoOn& go_on) {
  constexpr std::size_t kLongest = 100;  // the work grows with the square
  if (name.size() > kLongest) return std::nullopt;
  const std::string folded = fold_case(name);
  const std::size_t farthest = std::min<std::size_t>(3, name.size() / 2);
  std::optional<std::string_view> best;
  std::size_t best_distance = farthest + 1;
  for (const std::string_view candidate : known) {
    const std::size_t longer = std::max(candidate.size(), name.size());
    const bool far = longer - std::min(candidate.size(), name.size()) >= best_distance;
    if (go_on && !go_on(far ? 1 : candidate.size() * name.size())) return std::nullopt;
    if (far) continue;
    const std::size_t distance = edit_distance(folded, fold_case(candidate));
    if (distance < best_distance) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best;
}

std::string did_you_mean(std::string_view name, std::span<const std::string_view> known,
                         const GoOn& go_on) {
  const auto near = nearest_name(name, known, go_on);
  return near ? "; did you mean '" + std::string(*near) + "'?" : std::string();
}

std::string did_you_mean(std::string_view name, const std::vector<std::string>& known) {
  return did_you_mean(name, std::vector<std::string_view>(known.begin(), known.end()));
}

}  // namespace ludens::gdl
