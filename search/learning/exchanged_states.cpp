// SPDX-License-Identifier: MIT
#include "search/learning/exchanged_states.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <vector>

namespace ludens::search {

namespace {

/// [count]: which count has the images of its fluents after the exchange, if one has. What roles
/// can reach does not matter: it varies so much that few numbers are met twice.
std::vector<std::optional<std::size_t>> exchanged_counts(const TupleForm& form,
                                                         const StateBits& bits) {
  const std::vector<bool> reach_bit = bits.are_reach();
  const auto bit_of = bits.bit_of();
  std::map<gdl::FluentId, gdl::FluentId> image;
  for (std::size_t v = 0; v < form.exchange.size(); ++v) {
    const auto& fluents = form.variables[v].fluents;
    for (std::size_t i = 0; i < fluents.size(); ++i) image[fluents[i]] = form.exchange[v][i];
  }
  std::vector<std::optional<std::size_t>> exchanged;
  for (const auto& count : form.counts) {
    std::vector<gdl::FluentId> images;
    images.reserve(count.size());
    for (const gdl::FluentId fluent : count) images.push_back(image.at(fluent));
    const auto other = std::ranges::find_if(form.counts, [&](const auto& fluents) {
      return std::is_permutation(fluents.begin(), fluents.end(), images.begin(), images.end());
    });
    exchanged.emplace_back();
    if (reach_bit[bit_of.at(count[0])]) continue;
    if (other != form.counts.end()) {
      exchanged.back() = static_cast<std::size_t>(other - form.counts.begin());
    }
  }
  return exchanged;
}

/// How many fluents of each count hold in each state.
class CountsSeen {
 public:
  CountsSeen(const TupleForm& form, const StateBits& bits, const Observations& seen)
      : counts_(form.counts.size()), numbers_(seen.size() * counts_, 0) {
    const auto bit_of = bits.bit_of();
    for (std::size_t c = 0; c < counts_; ++c) {
      for (const gdl::FluentId fluent : form.counts[c]) {
        const auto row = seen.row(bit_of.at(fluent));
        for (std::size_t i = 0; i < seen.size(); ++i) {
          numbers_[i * counts_ + c] += row[i / 64] >> i % 64 & 1;
        }
      }
    }
  }
  [[nodiscard]] std::size_t of(std::size_t state, std::size_t count) const {
    return numbers_[state * counts_ + count];
  }

 private:
  std::size_t counts_;
  std::vector<std::size_t> numbers_;  // [state * counts + count]
};

}  // namespace

bool are_exchanged_states_seen(const TupleForm& form, const StateBits& bits,
                               const Observations& seen) {
  const auto exchanged = exchanged_counts(form, bits);
  const CountsSeen counts(form, bits, seen);
  using Pair = std::tuple<std::size_t, std::size_t, std::size_t>;  // a count and two numbers
  std::set<Pair> met;
  for (std::size_t i = 0; i < seen.size(); ++i) {
    for (std::size_t c = 0; c < exchanged.size() && seen.mover(i) == 1; ++c) {
      if (exchanged[c]) met.emplace(c, counts.of(i, c), counts.of(i, *exchanged[c]));
    }
  }
  std::size_t states = 0, found = 0;
  for (std::size_t i = 0; i < seen.size(); ++i) {
    if (seen.mover(i) != 0) continue;
    ++states;
    bool all = true;
    for (std::size_t c = 0; c < exchanged.size() && all; ++c) {
      if (!exchanged[c]) continue;
      all = met.contains({c, counts.of(i, *exchanged[c]), counts.of(i, c)});
    }
    if (all) ++found;
  }
  return 2 * found >= states;
}

}  // namespace ludens::search
