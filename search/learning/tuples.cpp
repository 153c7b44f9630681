// SPDX-License-Identifier: MIT
#include "search/learning/tuples.h"

#include <algorithm>
#include <map>
#include <set>
#include <span>

namespace ludens::search {

namespace {

constexpr std::size_t kLongest = 8;  // variables of a tuple, and of a condition that counts
constexpr std::size_t kUses = 8;     // of a variable
/// So that tuples are filled up even without conditions.
constexpr double kLeastTie = 1e-9;
constexpr int kMostFailures = 1'000;

using Tuple = std::vector<std::uint32_t>;

class TupleChooser {
 public:
  TupleChooser(const StateBits& bits, const TupleForm& form, gdl::Rng& rng)
      : variables_(form.variables),
        rng_(rng),
        ties_(variables_.size() * variables_.size(), 0.0),
        uses_(variables_.size(), 0),
        beside_(variables_.size()) {
    std::map<gdl::FluentId, std::uint32_t> variable_of;
    for (std::uint32_t v = 0; v < variables_.size(); ++v) {
      for (const gdl::FluentId f : variables_[v].fluents) variable_of[f] = v;
    }
    for (const Symmetry& symmetry : form.symmetries) {
      Tuple& image = images_.emplace_back();
      for (const auto& fluents : symmetry) image.push_back(variable_of.at(fluents[0]));
    }
    tie(bits, variable_of);
    tie_reach(bits, variable_of);
  }

  void add(std::size_t count, std::vector<Tuple>& chosen) {
    for (const Tuple& tuple : chosen) use(tuple);
    const std::size_t wanted = chosen.size() + count;
    for (int failures = 0; chosen.size() < wanted && failures < kMostFailures;) {
      Tuple tuple = grow(least_used());
      std::ranges::sort(tuple);
      if (known_.contains(tuple)) {
        ++failures;
        continue;
      }
      use(tuple);
      chosen.push_back(std::move(tuple));
    }
  }

 private:
  /// Variables that are looked at together prefer one another.
  void tie(const StateBits& bits, const std::map<gdl::FluentId, std::uint32_t>& variable_of) {
    std::vector<std::uint32_t> of_bit;
    for (const gdl::FluentId f : bits.fluents()) {
      const auto at = variable_of.find(f);
      of_bit.push_back(at == variable_of.end() ? StateBits::kNoVariable : at->second);
    }
    for (const auto& set : bits.looked_at_together(of_bit, kLongest)) {
      for (const std::uint32_t a : set) {
        for (const std::uint32_t b : set) {
          if (a != b) ties_[a * variables_.size() + b] += 1 / static_cast<double>(set.size());
        }
      }
    }
  }

  /// What roles can reach is looked at together, and with the place itself: in one place always,
  /// and in two places as often as the places are.
  void tie_reach(const StateBits& bits, const std::map<gdl::FluentId, std::uint32_t>& variable_of) {
    const std::size_t count = variables_.size();
    std::map<std::uint32_t, std::set<std::uint32_t>> reach;  // by the variable of the place
    for (const gdl::ReachBit& bit : bits.reach()) {
      const auto place = variable_of.find(bits.fluents()[bit.group]);
      const auto reached = variable_of.find(bits.fluents()[bit.fluent]);
      if (place == variable_of.end() || reached == variable_of.end()) continue;
      reach[place->second].insert(reached->second);
    }
    const std::vector<double> places = ties_;
    const auto tie_both = [&](std::uint32_t a, std::uint32_t b, double tie) {
      ties_[a * count + b] = ties_[b * count + a] = tie;
    };
    for (const auto& [place, reached] : reach) {
      const auto row = std::span(places).subspan(place * count, count);
      const double most = *std::ranges::max_element(row);
      for (const std::uint32_t one : reached) {
        for (std::uint32_t v = 0; v < count; ++v) {
          if (row[v] > 0) tie_both(one, v, row[v] / 2);
        }
        for (const auto& [other_place, others] : reach) {
          for (const std::uint32_t other : others) {
            if (one != other) tie_both(one, other, other_place == place ? most : row[other_place]);
          }
        }
        tie_both(one, place, most);
        beside_[one].assign(reached.begin(), reached.end());
      }
    }
  }

  /// The tuple and its images.
  void use(const Tuple& tuple) {
    use_once(tuple);
    for (const Tuple& image_of : images_) {
      Tuple image;
      for (const std::uint32_t v : tuple) image.push_back(image_of[v]);
      std::ranges::sort(image);
      use_once(image);
    }
  }
  void use_once(const Tuple& tuple) {
    for (const std::uint32_t v : tuple) ++uses_[v];
    known_.insert(tuple);
  }

  std::uint32_t least_used() {
    const auto least = std::ranges::min(uses_);
    std::vector<std::uint32_t> among;
    for (std::uint32_t v = 0; v < uses_.size(); ++v) {
      if (uses_[v] == least) among.push_back(v);
    }
    return among[rng_.below(static_cast<std::uint32_t>(among.size()))];
  }

  Tuple grow(std::uint32_t first) {
    Tuple tuple{first};
    std::size_t entries = variables_[first].values();
    add_beside(first, tuple, entries);
    std::vector<double> chances(variables_.size());
    while (tuple.size() < kLongest) {
      double sum = 0;
      for (std::uint32_t v = 0; v < variables_.size(); ++v) {
        chances[v] = chance(tuple, entries, v);
        sum += chances[v];
      }
      if (sum <= 0) break;
      const auto taken = static_cast<std::uint32_t>(gdl::draw_index(chances, rng_.uniform() * sum));
      tuple.push_back(taken);
      entries *= variables_[taken].values();
      add_beside(taken, tuple, entries);
    }
    return tuple;
  }
  /// What one role can reach says little without what the others can reach in the same place.
  void add_beside(std::uint32_t taken, Tuple& tuple, std::size_t& entries) const {
    for (const std::uint32_t v : beside_[taken]) {
      if (tuple.size() == kLongest || std::ranges::find(tuple, v) != tuple.end()) continue;
      if (entries * variables_[v].values() > TupleForm::kMostEntries) continue;
      tuple.push_back(v);
      entries *= variables_[v].values();
    }
  }

  [[nodiscard]] double chance(const Tuple& tuple, std::size_t entries, std::uint32_t v) const {
    if (entries * variables_[v].values() > TupleForm::kMostEntries) return 0;
    if (std::ranges::find(tuple, v) != tuple.end()) return 0;
    double tie = 0;
    for (const std::uint32_t in : tuple) tie += ties_[in * variables_.size() + v];
    return (tie * tie + kLeastTie) / (1.0 + static_cast<double>(uses_[v]));
  }

  const std::vector<Variable>& variables_;
  gdl::Rng& rng_;
  std::vector<double> ties_;         // [variable * variables + variable]
  std::vector<std::uint32_t> uses_;  // [variable]
  std::vector<Tuple> beside_;        // [variable]: what all roles can reach there, if it is that
  std::vector<Tuple> images_;        // [symmetry][variable]
  std::set<Tuple> known_;            // with all images
};

}  // namespace

std::size_t usual_tuple_count(const std::vector<Variable>& variables) {
  double length = 0;  // of a tuple of each variable alone, on average
  for (const Variable& v : variables) {
    double entries = static_cast<double>(TupleForm::kMostEntries);
    double l = 0;
    while (l < kLongest && entries >= static_cast<double>(v.values())) {
      entries /= static_cast<double>(v.values());
      ++l;
    }
    length += l / static_cast<double>(variables.size());
  }
  const auto wanted =
      static_cast<std::size_t>(static_cast<double>(variables.size() * kUses) / length);
  return std::clamp<std::size_t>((wanted + 31) / 32 * 32, 32, 128);
}

void add_tuples(TupleForm& form, const StateBits& bits, std::size_t count, gdl::Rng& rng) {
  TupleChooser(bits, form, rng).add(count, form.tuples);
}

}  // namespace ludens::search
