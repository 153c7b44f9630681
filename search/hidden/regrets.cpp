// SPDX-License-Identifier: MIT
#include "search/hidden/regrets.h"

#include <algorithm>
#include <functional>

#include "search/hidden/legal_places.h"

namespace ludens::search::hidden {

namespace {

/// The positive values at these places, as shares of their sum; uniform if there are none.
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
  const auto add = [this](gdl::MoveId move) {
    moves.push_back(move);
    regrets.push_back(0);
    averages.push_back(0);
  };
  find_or_add(legal, moves, std::identity(), add, out);
}

void Regrets::match(std::span<const std::uint32_t> places, std::vector<double>& out) const {
  share_out(regrets, places, out);
}

void Regrets::mean(std::span<const std::uint32_t> places, std::vector<double>& out) const {
  share_out(averages, places, out);
}

}  // namespace ludens::search::hidden
