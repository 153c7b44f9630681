// SPDX-License-Identifier: MIT
#include "search/hidden/regrets.h"

#include <algorithm>

namespace ludens::search::hidden {

namespace {

/// What is above zero at these places, as shares of its sum; all alike where nothing is.
void share_out(std::span<const double> values, std::span<const std::uint32_t> places,
               std::vector<double>& out) {
  out.clear();
  double sum = 0;
  for (const auto place : places) {
    out.push_back(std::max(0.0, values[place]));
    sum += out.back();
  }
  for (double& share : out) share = sum > 0 ? share / sum : 1 / static_cast<double>(out.size());
}

}  // namespace

void Regrets::reserve(std::size_t count) {
  moves.reserve(count);
  regrets.reserve(count);
  averages.reserve(count);
}

void Regrets::find(std::span<const gdl::MoveId> legal, std::vector<std::uint32_t>& out) {
  out.clear();
  for (std::size_t i = 0; i < legal.size(); ++i) {
    auto found = i < moves.size() && moves[i] == legal[i]
                     ? moves.begin() + static_cast<std::ptrdiff_t>(i)
                     : std::ranges::find(moves, legal[i]);
    out.push_back(static_cast<std::uint32_t>(found - moves.begin()));
    if (found != moves.end()) continue;
    moves.push_back(legal[i]);
    regrets.push_back(0);
    averages.push_back(0);
  }
}

void Regrets::match(std::span<const std::uint32_t> places, std::vector<double>& out) const {
  share_out(regrets, places, out);
}

void Regrets::mean(std::span<const std::uint32_t> places, std::vector<double>& out) const {
  share_out(averages, places, out);
}

}  // namespace ludens::search::hidden
