// SPDX-License-Identifier: MIT
#include "search/learning/symmetries.h"

#include <algorithm>
#include <bit>
#include <compare>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "search/learning/renamings.h"

namespace ludens::search {

namespace {

using gdl::Status;
using Words = std::vector<std::uint64_t>;

/// States of the middle of games on which a symmetry is tested, in addition to the last ones.
constexpr std::size_t kStates = 32;
/// States with more joint moves are not used for tests.
constexpr std::size_t kMostMoves = 512;

/// What a joint move leads to.
struct Successor {
  Words state;
  /// Whether this is an end; then, for each role, the goal or how many legal moves it has.
  std::vector<std::size_t> facts;

  // NOLINTNEXTLINE(modernize-use-nullptr)
  friend std::strong_ordering operator<=>(const Successor&, const Successor&) = default;
  friend bool operator==(const Successor&, const Successor&) = default;
};

Words image_of(const Words& state, const BitPermutation& image) {
  Words out(state.size(), 0);
  for (std::size_t w = 0; w < state.size(); ++w) {
    for (std::uint64_t left = state[w]; left != 0; left &= left - 1) {
      const std::uint32_t bit = image[w * 64 + static_cast<std::size_t>(std::countr_zero(left))];
      out[bit / 64] |= std::uint64_t{1} << bit % 64;
    }
  }
  return out;
}

/// Compares games that go on from states and from their images.
class SymmetryTest {
 public:
  SymmetryTest(const gdl::Machine& machine, gdl::Machine::Context& context)
      : machine_(machine), context_(context), roles_(machine.role_count()) {}

  /// From now on, the two roles change places in images.
  void exchange_roles() { exchanged_ = true; }

  /// Adds a state on which permutations are tested, unless it has too many moves. False if the
  /// machine was stopped.
  bool add(const Words& state) {
    Known known{state, {}, {}};
    if (!moves_of(state, known.legal)) return false;
    std::size_t joint = 1;
    for (const auto& moves : known.legal) joint *= moves.size();
    if (joint == 0 || joint > kMostMoves) return true;
    if (!successors_of(state, known.legal, known.successors)) return false;
    known_.push_back(std::move(known));
    return true;
  }

  /// Whether the game goes on in the same way after the permutation, from all states.
  bool passes(const BitPermutation& image) {
    return !known_.empty() &&
           std::ranges::all_of(known_, [&](const Known& known) { return passes(known, image); });
  }

 private:
  using Legal = std::vector<std::vector<gdl::MoveId>>;  // [role]
  struct Known {
    Words state;
    Legal legal;
    std::vector<Successor> successors;
  };

  bool moves_of(const Words& state, Legal& legal) {
    legal.resize(roles_);
    for (gdl::RoleIndex r = 0; r < roles_; ++r) {
      if (machine_.legal(context_, gdl::StateView(state), r, legal[r]) != Status::Ok) return false;
    }
    return true;
  }

  bool successors_of(const Words& state, const Legal& legal, std::vector<Successor>& out) {
    std::size_t count = 1;
    for (const auto& moves : legal) count *= moves.size();
    joints_.clear();
    for (std::size_t i = 0; i < count; ++i) {
      std::size_t left = i;
      for (const auto& moves : legal) {
        joints_.push_back(moves[left % moves.size()]);
        left /= moves.size();
      }
    }
    pairs_.clear();
    for (std::size_t i = 0; i < count; ++i) {
      pairs_.push_back(
          {gdl::StateView(state), gdl::JointMove(joints_).subspan(i * roles_, roles_)});
    }
    if (machine_.expand(context_, pairs_, next_) != Status::Ok) return false;
    out.clear();
    for (std::size_t i = 0; i < count; ++i) out.push_back(successor(i));
    return true;
  }

  /// The role that has this role's place in images.
  [[nodiscard]] gdl::RoleIndex image_of_role(gdl::RoleIndex role) const {
    return exchanged_ ? 1 - role : role;
  }

  [[nodiscard]] Successor successor(std::size_t pair) const {
    const auto words = next_.states[pair].words();
    const bool end = next_.terminal[pair] != 0;
    Successor out{{words.begin(), words.end()}, {end ? std::size_t{1} : 0}};
    for (gdl::RoleIndex r = 0; r < roles_; ++r) {
      out.facts.push_back(end ? next_.goals[pair * roles_ + r]
                              : next_.legal(pair, r, roles_).size());
    }
    return out;
  }

  bool passes(const Known& known, const BitPermutation& image) {
    const Words state = image_of(known.state, image);
    if (!moves_of(state, legal_)) return false;
    for (gdl::RoleIndex r = 0; r < roles_; ++r) {
      if (legal_[image_of_role(r)].size() != known.legal[r].size()) return false;
    }
    if (!successors_of(state, legal_, after_)) return false;
    images_ = known.successors;
    for (Successor& successor : images_) {
      successor.state = image_of(successor.state, image);
      if (exchanged_) std::swap(successor.facts[1], successor.facts[2]);
    }
    std::ranges::sort(images_);
    std::ranges::sort(after_);
    return images_ == after_;
  }

  const gdl::Machine& machine_;
  gdl::Machine::Context& context_;
  std::size_t roles_;
  bool exchanged_ = false;
  std::vector<Known> known_;
  // Reused from test to test.
  std::vector<gdl::MoveId> joints_;
  std::vector<gdl::StateMove> pairs_;
  gdl::Expansion next_;
  Legal legal_;
  std::vector<Successor> after_, images_;
};

/// Permutations as those of variables' fluents.
class VariablesOf {
 public:
  VariablesOf(const StateBits& bits, const std::vector<Variable>& variables)
      : bits_(bits), variables_(variables), bit_of_(bits.bit_of()), has_bit_(bits.size(), false) {
    for (const Variable& variable : variables) {
      for (const gdl::FluentId fluent : variable.fluents) has_bit_[bit_of_.at(fluent)] = true;
    }
  }

  /// [bit]: whether it is a fluent of a variable.
  [[nodiscard]] const std::vector<bool>& has_bit() const { return has_bit_; }
  /// Whether no fluent of a variable has another fluent's image.
  [[nodiscard]] bool keeps(const BitPermutation& image) const {
    for (std::size_t bit = 0; bit < image.size(); ++bit) {
      if (has_bit_[bit] && !has_bit_[image[bit]]) return false;
    }
    return true;
  }
  [[nodiscard]] Symmetry symmetry(const BitPermutation& image) const {
    Symmetry out;
    for (const Variable& variable : variables_) {
      auto& images = out.emplace_back();
      for (const gdl::FluentId fluent : variable.fluents) {
        images.push_back(bits_.fluents()[image[bit_of_.at(fluent)]]);
      }
    }
    return out;
  }

 private:
  const StateBits& bits_;
  const std::vector<Variable>& variables_;
  std::map<gdl::FluentId, std::uint32_t> bit_of_;
  std::vector<bool> has_bit_;
};

/// Finds symmetries as permutations of bits. Finds none if the machine is stopped.
class SymmetryFinder {
 public:
  SymmetryFinder(const gdl::Vocabulary& vocabulary, const StateBits& bits,
                 const VariablesOf& variables, SymmetryTest& test)
      : vocabulary_(vocabulary), bits_(bits), variables_(variables), test_(test) {}

  std::vector<BitPermutation> find() {
    std::vector<BitPermutation> found;
    std::set<Symmetry> known{variables_.symmetry(identity())};
    for_each_renaming(vocabulary_, bits_, variables_.has_bit(), [&](const BitPermutation& image) {
      if (!test_.passes(image) || !variables_.keeps(image)) return true;
      if (known.insert(variables_.symmetry(image)).second) found.push_back(image);
      return found.size() < TupleForm::kMostSymmetries;
    });
    return found;
  }

  /// One that exchanges the roles; empty if there is none.
  BitPermutation find_exchange(const Words& initial) {
    BitPermutation found;
    test_.exchange_roles();
    for_each_exchange_of_roles(vocabulary_, bits_, variables_.has_bit(), initial,
                               [&](const BitPermutation& image) {
                                 if (!test_.passes(image) || !variables_.keeps(image)) return true;
                                 found = image;
                                 return false;
                               });
    return found;
  }

 private:
  [[nodiscard]] BitPermutation identity() const {
    BitPermutation identity(bits_.size());
    std::iota(identity.begin(), identity.end(), 0U);
    return identity;
  }

  const gdl::Vocabulary& vocabulary_;
  const StateBits& bits_;
  const VariablesOf& variables_;
  SymmetryTest& test_;
};

/// [count]: which count has the images of its fluents after the exchange, if one has.
std::vector<std::optional<std::size_t>> exchanged_counts(const TupleForm& form) {
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

/// Whether half of the states or more in which role 0 chooses have images with as many pieces
/// (`form.counts`) as there were in a state in which role 1 chose.
bool are_exchanged_states_seen(const TupleForm& form, const StateBits& bits,
                               const Observations& seen) {
  const auto exchanged = exchanged_counts(form);
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

}  // namespace

void find_symmetries(const gdl::Machine& machine, gdl::Machine::Context& context,
                     const StateBits& bits, const Observations& seen, bool exchange_roles,
                     gdl::Rng& rng, TupleForm& form) {
  SymmetryTest test(machine, context);
  for (std::size_t i = 0; i < kStates; ++i) {
    if (!test.add(seen.state(rng.below(static_cast<std::uint32_t>(seen.size()))))) return;
  }
  for (const Words& state : seen.last_states()) {
    if (!test.add(state)) return;
  }
  const VariablesOf variables(bits, form.variables);
  SymmetryFinder finder(*machine.vocabulary(), bits, variables, test);
  const auto found = finder.find();
  for (const BitPermutation& image : found) form.symmetries.push_back(variables.symmetry(image));
  gdl::State initial;
  if (!exchange_roles || machine.initial(context, initial) != Status::Ok) return;
  const BitPermutation exchange = finder.find_exchange(initial.words());
  if (exchange.empty()) return;
  form.exchange = variables.symmetry(exchange);
  if (!are_exchanged_states_seen(form, bits, seen)) form.exchange.clear();
}

}  // namespace ludens::search
