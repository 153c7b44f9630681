// SPDX-License-Identifier: MIT
#include "search/learning/variables.h"

#include <algorithm>
#include <bit>
#include <map>
#include <tuple>
#include <utility>

#include "search/learning/fluent_parts.h"

namespace ludens::search {

namespace {

/// The most values of a variable.
constexpr std::size_t kMostValues = 128;
/// Arguments after these are never left open.
constexpr std::size_t kArguments = 6;

using Bits = std::vector<std::uint32_t>;

/// Fluents of some names that agree in all arguments except those left open.
struct Group {
  Bits bits;
  std::size_t arguments = 0;
  std::size_t open = 0;             // a bit for each argument
  std::vector<std::uint32_t> rest;  // the other arguments
};

class VariableFinder {
 public:
  VariableFinder(const gdl::Machine& machine, const StateBits& bits, const Observations& seen)
      : machine_(machine), bits_(bits), seen_(seen), held_(bits.size()) {
    for (std::size_t b = 0; b < bits.size(); ++b) {
      held_[b] = static_cast<double>(seen.holds(b)) / static_cast<double>(seen.size());
      parts_.push_back(fluent_parts(machine.vocabulary()->fluent_term(bits.fluents()[b])));
    }
  }

  std::vector<Variable> find() {
    std::map<std::pair<std::uint32_t, std::size_t>, Bits> names;
    const std::vector<bool> moved = with_moves(), reach_bit = bits_.are_reach();
    for (std::uint32_t b = 0; b < bits_.size(); ++b) {
      if (moved[b] && !reach_bit[b])
        names[{parts_[b].name, parts_[b].arguments.size()}].push_back(b);
    }
    std::vector<Group> groups;
    for (const auto& [name, bits] : names) {
      for (Group& group : split(bits)) groups.push_back(std::move(group));
    }
    std::vector<Bits> all = join_proved(join_names(std::move(groups)));
    for (Bits& bits : reach()) all.push_back(std::move(bits));
    return ranked(all);
  }

 private:
  /// For each place and each role, the bits for numbers of moves.
  [[nodiscard]] std::vector<Bits> reach() const {
    std::map<std::pair<std::uint32_t, gdl::RoleIndex>, Bits> by_place;
    for (const gdl::ReachBit& bit : bits_.reach()) {
      by_place[{bit.group, bit.role}].push_back(bit.fluent);
    }
    std::vector<Bits> out;
    out.reserve(by_place.size());
    for (auto& [place, bits] : by_place) out.push_back(std::move(bits));
    return out;
  }

  /// [bit]: false in a factor without moves.
  [[nodiscard]] std::vector<bool> with_moves() const {
    const auto bit_of = bits_.bit_of();
    std::vector<bool> moved(bits_.size(), true);
    for (const auto& factor : machine_.structure().factors) {
      if (!factor.moves.empty()) continue;
      for (const gdl::FluentId fluent : factor.fluents) {
        if (const auto at = bit_of.find(fluent); at != bit_of.end()) moved[at->second] = false;
      }
    }
    return moved;
  }

  [[nodiscard]] bool exclude_one_another(const Bits& bits) const {
    std::vector<std::uint64_t> any(seen_.row(0).size(), 0);
    for (const std::uint32_t b : bits) {
      const auto row = seen_.row(b);
      std::uint64_t both = 0;
      for (std::size_t w = 0; w < any.size(); ++w) {
        both |= any[w] & row[w];
        any[w] |= row[w];
      }
      if (both != 0) return false;
    }
    return true;
  }
  [[nodiscard]] bool one_always_holds(const Bits& bits) const {
    std::size_t count = 0;
    for (const std::uint32_t b : bits) count += seen_.holds(b);
    return count == seen_.size();  // because they exclude each other
  }

  [[nodiscard]] std::vector<Group> grouped(const Bits& bits, std::size_t open) const {
    std::map<std::vector<std::uint32_t>, Bits> by_rest;
    for (const std::uint32_t b : bits) {
      std::vector<std::uint32_t> rest;
      const auto& arguments = parts_[b].arguments;
      for (std::size_t i = 0; i < arguments.size(); ++i) {
        if (i < kArguments && (open >> i & 1) != 0) continue;
        rest.insert(rest.end(), arguments[i].begin(), arguments[i].end());
      }
      by_rest[std::move(rest)].push_back(b);
    }
    std::vector<Group> groups;
    const std::size_t arguments = parts_[bits[0]].arguments.size();
    groups.reserve(by_rest.size());
    for (auto& [rest, members] : by_rest) {
      groups.push_back({std::move(members), arguments, open, rest});
    }
    return groups;
  }
  [[nodiscard]] bool fit(const std::vector<Group>& groups) const {
    return std::ranges::all_of(groups, [&](const Group& group) {
      return group.bits.size() <= kMostValues && exclude_one_another(group.bits);
    });
  }

  /// The fluents of one name, with the arguments left open for which there are the fewest groups.
  [[nodiscard]] std::vector<Group> split(const Bits& bits) const {
    std::vector<Group> best = grouped(bits, 0);
    const std::size_t places = std::min(kArguments, parts_[bits[0]].arguments.size());
    for (std::size_t open = 1; open < std::size_t{1} << places; ++open) {
      if (std::popcount(open) > 2) continue;
      std::vector<Group> groups = grouped(bits, open);
      if (groups.size() < best.size() && fit(groups)) best = std::move(groups);
    }
    return best;
  }

  /// Joins groups for the same place with different names.
  [[nodiscard]] std::vector<Group> join_names(std::vector<Group> groups) const {
    std::map<std::tuple<std::size_t, std::size_t, std::vector<std::uint32_t>>, Bits> places;
    for (const Group& g : groups) {
      if (g.rest.empty()) continue;
      Bits& all = places[{g.arguments, g.open, g.rest}];
      all.insert(all.end(), g.bits.begin(), g.bits.end());
    }
    std::vector<Group> joined;
    for (auto& [place, all] : places) {
      const auto& [arguments, open, rest] = place;
      Group group{std::move(all), arguments, open, rest};
      if (fit({group})) {
        joined.push_back(std::move(group));
        continue;
      }
      for (Group& g : groups) {
        if (g.arguments == arguments && g.open == open && g.rest == rest) {
          joined.push_back(std::move(g));
        }
      }
    }
    for (Group& g : groups) {
      if (g.rest.empty() && !g.bits.empty()) joined.push_back(std::move(g));
    }
    return joined;
  }

  [[nodiscard]] std::vector<Bits> join_proved(const std::vector<Group>& groups) const {
    std::vector<Bits> out;
    std::map<gdl::FluentId, std::uint32_t> alone;
    for (const Group& g : groups) {
      if (g.bits.size() > 1) {
        out.push_back(g.bits);
      } else {
        alone[bits_.fluents()[g.bits[0]]] = g.bits[0];
      }
    }
    std::vector<const gdl::Structure::Exclusion*> exclusions;
    for (const auto& e : machine_.structure().exclusions) exclusions.push_back(&e);
    std::ranges::stable_sort(exclusions, std::greater(),
                             [](const auto* e) { return e->fluents.size(); });
    for (const auto* e : exclusions) {
      Bits members;
      for (const gdl::FluentId f : e->fluents) {
        if (const auto at = alone.find(f); at != alone.end()) members.push_back(at->second);
      }
      if (members.size() < 2 || members.size() > kMostValues) continue;
      for (const std::uint32_t b : members) alone.erase(bits_.fluents()[b]);
      out.push_back(std::move(members));
    }
    for (const auto& [fluent, bit] : alone) out.push_back({bit});
    return out;
  }

  /// The chance that the variable differs in two states seen.
  [[nodiscard]] double variance(const Bits& bits) const {
    double none = 1, same = 0;
    for (const std::uint32_t b : bits) {
      none -= held_[b];
      same += held_[b] * held_[b];
    }
    return 1 - same - none * none;
  }

  [[nodiscard]] std::vector<Variable> ranked(const std::vector<Bits>& groups) const {
    struct Ranked {
      bool decides_moves;
      double variance;
      const Bits* bits;
    };
    const std::vector<bool> decide = bits_.decide_moves();
    std::vector<Ranked> kept;
    for (const Bits& bits : groups) {
      const double v = variance(bits);
      if (v < 1e-9) continue;
      if (seen_.are_clock(bits)) continue;
      kept.push_back(
          {std::ranges::any_of(bits, [&](std::uint32_t b) { return decide[b]; }), v, &bits});
    }
    std::ranges::stable_sort(kept, [](const Ranked& a, const Ranked& b) {
      return std::pair(a.decides_moves, a.variance) > std::pair(b.decides_moves, b.variance);
    });
    if (kept.size() > kMostVariables) kept.resize(kMostVariables);
    std::vector<Variable> out;
    out.reserve(kept.size());
    for (const Ranked& r : kept) out.push_back(variable(*r.bits));
    return out;
  }

  /// The fluent that holds most often comes first.
  [[nodiscard]] Variable variable(Bits bits) const {
    std::ranges::stable_sort(bits, std::greater(), [&](std::uint32_t b) { return held_[b]; });
    Variable out;
    out.always_one = bits.size() > 1 && one_always_holds(bits);
    for (const std::uint32_t b : bits) out.fluents.push_back(bits_.fluents()[b]);
    return out;
  }

  const gdl::Machine& machine_;
  const StateBits& bits_;
  const Observations& seen_;
  std::vector<double> held_;        // [bit]: the share of the states seen in which it held
  std::vector<FluentParts> parts_;  // [bit]
};

}  // namespace

std::vector<Variable> find_variables(const gdl::Machine& machine, const StateBits& bits,
                                     const Observations& seen) {
  if (bits.size() == 0) return {};
  return VariableFinder(machine, bits, seen).find();
}

}  // namespace ludens::search
