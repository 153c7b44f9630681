// SPDX-License-Identifier: MIT
#include "gdl/network/exclusion.h"

#include <algorithm>
#include <map>

#include "gdl/machine/ground_term.h"
#include "gdl/network/implications.h"
#include "gdl/network/simulation.h"

namespace ludens::gdl {

namespace {

constexpr std::size_t kMostGates = 100'000;
constexpr int kMostCases = 100;            // a refutation that exists is short
constexpr int kDepth = 4;                  // of case distinctions
constexpr std::size_t kMostArguments = 4;  // all choices of them are tried; beyond, one and all
constexpr std::size_t kMostAlone = 64;     // beyond, only all: a key has the other arguments
using Group = Implications::Group;

/// Fluents that agree except for some arguments, by name.
class Candidates {
 public:
  Candidates(const Network& network, const Vocabulary& vocabulary) {
    for (std::uint32_t f = 0; f < network.fluents.size(); ++f) {
      add(f, vocabulary.fluent_term(network.fluents[f].id));
    }
  }
  [[nodiscard]] std::vector<Group> groups() const {
    std::vector<Group> found;
    for (const auto& [key, group] : by_key_) {
      if (group.size() > 1) found.push_back(group);
    }
    return found;
  }

 private:
  using Cells = std::vector<std::uint32_t>;

  void add(std::uint32_t fluent, const Cells& term) {
    const std::vector<GroundTerm> arguments = arguments_of(term);
    const auto count = static_cast<std::uint32_t>(arguments.size());
    if (count <= kMostArguments) {
      for (std::uint32_t open = 1; open < 1U << count; ++open) {
        add(fluent, term[0], arguments, open, [&](std::size_t a) { return (open >> a & 1) != 0; });
      }
      return;
    }
    for (std::uint32_t open = 0; open < count && count <= kMostAlone; ++open) {
      add(fluent, term[0], arguments, open, [&](std::size_t a) { return a == open; });
    }
    add(fluent, term[0], arguments, count, [](std::size_t) { return true; });
  }

  /// `choice`: a number for the open arguments.
  template <typename IsOpen>
  void add(std::uint32_t fluent, std::uint32_t name, const std::vector<GroundTerm>& arguments,
           std::uint32_t choice, const IsOpen& is_open) {
    Cells key{name, static_cast<std::uint32_t>(arguments.size()), choice};
    for (std::size_t a = 0; a < arguments.size(); ++a) {
      if (!is_open(a)) key.insert(key.end(), arguments[a].begin(), arguments[a].end());
    }
    by_key_[key].push_back(fluent);
  }

  std::map<Cells, Group> by_key_;
};

/// How many steps random games have, and how many gates are evaluated in all.
struct PlayLimits {
  std::size_t most_steps, work;
};
constexpr PlayLimits kFirstLook{100, 3'000'000}, kLongerLook{1'000, 10'000'000};

/// Without the groups of which two hold at once in some random game; 64 are played at a time.
void play_against(const Network& network, std::vector<Group>& groups, const PlayLimits& limits,
                  StopPoll& poll) {
  constexpr std::size_t kLeastSteps = 20;
  Rng rng(1);
  RandomGames games(network, rng);
  const std::size_t steps =
      std::clamp(limits.work / (network.gates.size() + 1), kLeastSteps, limits.most_steps);
  for (std::size_t step = 0; step < steps && !groups.empty(); ++step) {
    if (poll(network.gates.size())) return;
    games.choose();
    const std::vector<std::uint64_t>& fluents = games.now().fluents;
    std::erase_if(groups, [&](const Group& group) {
      std::uint64_t one = 0, two = 0;
      for (const std::uint32_t f : group) {
        two |= one & fluents[f];
        one |= fluents[f];
      }
      return two != 0;
    });
    if (!groups.empty()) games.step();
  }
}

class Induction {
 public:
  Induction(const Network& network, const std::vector<Group>& groups, std::uint64_t work,
            StopPoll& poll)
      : network_(network), facts_(network, groups, work, poll) {
    facts_.assume(invert(network.terminal));
  }

  [[nodiscard]] bool exhausted() const { return facts_.exhausted(); }

  /// Proves that no two of the group are next.
  bool at_most_one(const Group& group) {
    for (std::size_t i = 0; i + 1 < group.size(); ++i) {
      if (!excludes(group, i)) return false;
    }
    return true;
  }

  /// Proves that one of them is next if one holds now.
  bool at_least_one(const Group& group) {
    std::vector<Edge> none;
    for (const std::uint32_t f : group) none.push_back(invert(network_.fluents[f].next));
    return std::ranges::all_of(group, [&](std::uint32_t f) {
      const std::size_t before = facts_.mark();
      bool refuted = !facts_.assume(network_.fluents[f].node * 2);
      for (std::size_t i = 0; i < none.size() && !refuted; ++i) refuted = !facts_.assume(none[i]);
      refuted = refuted || facts_.refute(none, kDepth, kMostCases);
      facts_.take_back(before);
      return refuted && !exhausted();
    });
  }

 private:
  [[nodiscard]] Edge next(std::uint32_t f) const { return network_.fluents[f].next; }

  // Proves that the i-th is not next together with a later one.
  bool excludes(const Group& group, std::size_t i) {
    const std::size_t before = facts_.mark();
    bool proved = true;
    if (facts_.assume(next(group[i]))) {
      for (std::size_t k = i + 1; k < group.size() && proved; ++k) {
        if (facts_.is_false(next(group[k]))) continue;
        const std::size_t here = facts_.mark();
        const Edge both[] = {next(group[i]), next(group[k])};
        proved = !facts_.assume(both[1]) || facts_.refute(both, kDepth, kMostCases);
        facts_.take_back(here);
      }
    }
    facts_.take_back(before);
    return proved && !exhausted();
  }

  const Network& network_;
  Implications facts_;
};

/// Drops what can't be proved, until the rest can be proved from itself. False if the work was not
/// enough.
bool keep_provable(const Network& network, std::vector<Group>& groups, std::uint64_t work,
                   StopPoll& poll) {
  constexpr std::uint64_t kMostRounds = 8;
  for (std::uint64_t round = 0; round < kMostRounds; ++round) {
    Induction induction(network, groups, work / kMostRounds * 2, poll);
    std::vector<Group> kept;
    for (const Group& group : groups) {
      const bool proved = induction.at_most_one(group);
      if (induction.exhausted()) return false;
      if (proved) kept.push_back(group);
    }
    if (kept.size() == groups.size()) return true;
    groups = std::move(kept);
  }
  return groups.empty();
}

/// Sorts the largest first, and drops groups inside others.
void drop_subsets(std::vector<Group>& groups) {
  std::ranges::stable_sort(groups, std::greater{}, &Group::size);
  std::map<std::uint32_t, std::vector<std::size_t>> groups_of;  // [fluent]: kept ones
  std::vector<Group> kept;
  for (const Group& group : groups) {
    const auto& rivals = groups_of[group.front()];
    const bool within = std::ranges::any_of(
        rivals, [&](std::size_t k) { return std::ranges::includes(kept[k], group); });
    if (within) continue;
    for (const std::uint32_t f : group) groups_of[f].push_back(kept.size());
    kept.push_back(group);
  }
  groups = std::move(kept);
}

/// Those of the candidates that can be proved; none if the work was not enough.
std::vector<Group> prove(const Network& network, std::vector<Group> candidates, std::uint64_t work,
                         StopPoll& poll) {
  if (!keep_provable(network, candidates, work, poll)) return {};
  drop_subsets(candidates);
  return candidates;
}

}  // namespace

std::vector<Group> find_groups_apart(const Network& network, const Vocabulary& vocabulary,
                                     const StopSignal* stop) {
  if (!network.feedbacks.empty() || network.gates.size() > kMostGates) return {};
  StopPoll poll(stop);
  std::vector<Group> groups = Candidates(network, vocabulary).groups();
  play_against(network, groups, kFirstLook, poll);
  return poll.stopped() ? std::vector<Group>{} : groups;
}

void drop_groups_seen_together(const Network& network, std::vector<Group>& groups,
                               const StopSignal* stop) {
  StopPoll poll(stop);
  play_against(network, groups, kLongerLook, poll);
}

std::vector<Structure::Exclusion> find_exclusions(const Network& network,
                                                  const Vocabulary& vocabulary,
                                                  const StopSignal* stop, std::uint64_t work) {
  return find_exclusions(network, find_groups_apart(network, vocabulary, stop), stop, work);
}

std::vector<Structure::Exclusion> find_exclusions(const Network& network,
                                                  std::vector<Group> candidates,
                                                  const StopSignal* stop, std::uint64_t work) {
  StopPoll poll(stop);
  const std::vector<Group> groups = prove(network, std::move(candidates), work, poll);
  if (groups.empty()) return {};
  Induction induction(network, groups, work, poll);
  std::vector<Structure::Exclusion> found;
  for (const Group& group : groups) {
    Structure::Exclusion& exclusion = found.emplace_back();
    const auto initially =
        std::ranges::count_if(group, [&](std::uint32_t f) { return network.fluents[f].initially; });
    exclusion.always_one = initially == 1 && induction.at_least_one(group);
    for (const std::uint32_t f : group) exclusion.fluents.push_back(network.fluents[f].id);
    std::ranges::sort(exclusion.fluents);
  }
  if (poll.stopped()) return {};
  return found;
}

}  // namespace ludens::gdl
