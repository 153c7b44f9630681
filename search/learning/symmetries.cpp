// SPDX-License-Identifier: MIT
#include "search/learning/symmetries.h"

#include <cstdint>
#include <map>
#include <numeric>
#include <set>
#include <span>

#include "search/learning/exchanged_states.h"
#include "search/learning/play_comparison.h"
#include "search/learning/reach_images.h"
#include "search/learning/renamings.h"

namespace ludens::search {

namespace {

/// States of the middle of games on which a symmetry is tested, in addition to the last ones.
constexpr std::size_t kStates = 32;

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
                 const VariablesOf& variables, const ReachImages& reach,
                 const gdl::StopSignal* stop, PlayComparison& play)
      : vocabulary_(vocabulary),
        bits_(bits),
        variables_(variables),
        reach_(reach),
        stop_(stop),
        play_(play) {}

  std::vector<BitPermutation> find() {
    std::vector<BitPermutation> found;
    std::set<Symmetry> known{variables_.symmetry(identity())};
    for_each_renaming(vocabulary_, bits_, variables_.has_bit(), stop_, [&](BitPermutation image) {
      if (!reach_.complete(image, false) || !is_symmetry(image)) return true;
      if (known.insert(variables_.symmetry(image)).second) found.push_back(image);
      return found.size() < TupleForm::kMostSymmetries;
    });
    return found;
  }

  /// One that exchanges the roles; empty if there is none.
  BitPermutation find_exchange(std::span<const std::uint64_t> initial) {
    BitPermutation found;
    play_.exchange_roles();
    for_each_exchange_of_roles(
        vocabulary_, bits_, variables_.has_bit(), initial, stop_, [&](BitPermutation image) {
          const bool fits = reach_.complete(image, true) && is_symmetry(image);
          if (fits) found = image;
          return !fits;
        });
    return found;
  }

 private:
  bool is_symmetry(const BitPermutation& image) {
    return variables_.keeps(image) && play_.is_alike(image);
  }
  [[nodiscard]] BitPermutation identity() const {
    BitPermutation identity(bits_.size());
    std::iota(identity.begin(), identity.end(), 0U);
    return identity;
  }

  const gdl::Vocabulary& vocabulary_;
  const StateBits& bits_;
  const VariablesOf& variables_;
  const ReachImages& reach_;
  const gdl::StopSignal* stop_;
  PlayComparison& play_;
};

}  // namespace

void find_symmetries(const gdl::Machine& machine, gdl::Machine::Context& context,
                     const StateBits& bits, const Observations& seen, bool exchange_roles,
                     gdl::Rng& rng, TupleForm& form) {
  PlayComparison play(machine, context);
  for (std::size_t i = 0; i < kStates; ++i) {
    if (!play.add(seen.state(rng.below(static_cast<std::uint32_t>(seen.size()))))) return;
  }
  for (const auto& state : seen.last_states()) {
    if (!play.add(state)) return;
  }
  const VariablesOf variables(bits, form.variables);
  const ReachImages reach(bits, form.variables);
  SymmetryFinder finder(*machine.vocabulary(), bits, variables, reach, context.limits.stop, play);
  const auto found = finder.find();
  BitPermutation exchange;
  gdl::State initial;
  if (exchange_roles && machine.initial(context, initial) == gdl::Status::Ok) {
    exchange = finder.find_exchange(initial.words());
  }
  const gdl::StopSignal* stop = context.limits.stop;
  if (stop != nullptr && stop->stop_requested()) return;  // there may be more
  for (const BitPermutation& image : found) form.symmetries.push_back(variables.symmetry(image));
  if (exchange.empty()) return;
  form.exchange = variables.symmetry(exchange);
  if (!are_exchanged_states_seen(form, bits, seen)) form.exchange.clear();
}

}  // namespace ludens::search
