// SPDX-License-Identifier: MIT
// What roles know in a merged form: which situations are told apart.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "search/hidden/merged_builder.h"

namespace ludens::search::hidden {

namespace {

/// Probabilities that differ by less are the same.
constexpr double kSteps = 1e12;

}  // namespace

void MergedBuilder::keep_apart_if_few(const Turn& turn) {
  std::size_t situations = 0;
  for (const auto& known : turn.known) situations += known.size();
  apart_ = apart_ && situations <= most_apart_;
}

/// What the role chooses in an outcome, as an index into its legal moves.
std::size_t MergedBuilder::own_of(const Place& place, std::size_t outcome,
                                  gdl::RoleIndex role) const {
  for (gdl::RoleIndex other = roles_; --other > role;) outcome /= place.legal[other].size();
  return outcome % place.legal[role].size();
}

/// A key for what the role does, perceives, and may do next.
std::uint64_t MergedBuilder::key_of(const Place& place, std::size_t outcome, gdl::RoleIndex role,
                                    const Turn& after) const {
  const std::uint64_t legal = after.places[place.outcomes[outcome].next].legal_number[role];
  const std::uint64_t told = place.told[outcome * roles_ + role];
  const std::uint64_t own = own_of(place, outcome, role);
  return (own << 48) ^ (told << 24) ^ legal;
}

void MergedBuilder::follow_knowledge(gdl::RoleIndex role, Turn& turn, Turn& after) {
  Numbers supports;
  for (Known& known : turn.known[role]) {
    if (!check(Status::Ok)) return;
    const Place& any = turn.places[known.places.front()];
    if (any.legal[role].size() > 1 && role != machine_.random_role()) decide(role, any, known);
    gather(role, turn, after, known);
    for (std::size_t begin = 0; begin < gathered_.size();) {
      std::size_t end = begin;
      while (end < gathered_.size() && gathered_[end].key == gathered_[begin].key) ++end;
      link(role, any, known, std::span(gathered_).subspan(begin, end - begin), supports, after);
      begin = end;
    }
    if (supports.bytes() > held_supports_ + kPiece) {
      grow(supports.bytes() - held_supports_);
      held_supports_ = supports.bytes();
    }
  }
  held_supports_ = 0;
}

void MergedBuilder::decide(gdl::RoleIndex role, const Place& any, Known& known) {
  known.set = static_cast<SetId>(form_.sets_.size());
  form_.sets_.push_back(
      {role, known.id, static_cast<std::uint32_t>(form_.actions_), any.legal[role]});
  form_.actions_ += any.legal[role].size();
}

/// Gathers all successors of what is known, by what the role will know.
void MergedBuilder::gather(gdl::RoleIndex role, const Turn& turn, const Turn& after,
                           const Known& known) {
  gathered_.clear();
  for (std::size_t i = 0; i < known.places.size(); ++i) {
    const Place& place = turn.places[known.places[i]];
    const double chance = weighed() ? known.chances[i] : 0;
    for (std::size_t o = 0; o < place.outcomes.size(); ++o) {
      if (place.outcomes[o].ends) continue;
      gathered_.push_back({key_of(place, o, role, after), place.outcomes[o].next,
                           chance / static_cast<double>(place.outcomes.size())});
    }
  }
  std::sort(gathered_.begin(), gathered_.end());
}

void MergedBuilder::link(gdl::RoleIndex role, const Place& any, Known& known,
                         std::span<const Gathered> all, Numbers& supports, Turn& after) {
  Known next{};
  double sum = 0;
  for (const Gathered& one : all) {
    sum += one.chance;
    if (!next.places.empty() && next.places.back() == one.place) {
      next.chances.back() += one.chance;
    } else {
      next.places.push_back(one.place);
      next.chances.push_back(one.chance);
    }
  }
  if (weighed()) {
    for (double& chance : next.chances) chance /= sum;
  } else {
    next.chances.clear();
  }
  const std::uint64_t key = all.front().key;
  const auto [number, is_new] = supports.of(what_counts(known, key, next, after));
  const auto own = static_cast<std::size_t>(key >> 48);
  const auto told = static_cast<std::uint32_t>((key >> 24) & kFieldMask);
  const gdl::MoveId move = any.legal[role][own];
  if (is_new) {
    next.id = static_cast<KnowledgeId>(form_.knowledge_.size());
    const auto& list = form_.told_[told];
    const std::vector<std::uint32_t> none;
    form_.knowledge_.push_back({known.id, move, any.legal[role].size() > 1,
                                form_.all_is_seen_ ? none : list,
                                form_.all_is_seen_ ? list : none});
    grow(sizeof(Known) + gdl::bytes_of(next.places, next.chances));
    after.known[role].push_back(std::move(next));
  } else if (!weighed()) {
    reckon_with(after.known[role][number].places, next.places);
  }
  auto& links = form_.links_[role];
  if (known.keys.empty()) known.first_link = static_cast<std::uint32_t>(links.size());
  known.keys.push_back(key);
  known.after.push_back(number);
  const std::uint32_t action =
      known.set ? form_.sets_[*known.set].first_action + static_cast<std::uint32_t>(own)
                : Link::kNoChoice;
  links.push_back({known.id, after.known[role][number].id, action, move, told});
}

/// What distinguishes a situation, `next`, from others: it follows `known` by a turn with `key`.
MergedBuilder::Words MergedBuilder::what_counts(const Known& known, std::uint64_t key,
                                                const Known& next, const Turn& after) const {
  if (weighed()) return weights_of(next);
  if (apart_) return {known.id, key};
  return certain_of(next, key & kFieldMask, after);
}

/// For one player: the states that are possible, and their probabilities.
MergedBuilder::Words MergedBuilder::weights_of(const Known& known) {
  Words words(known.places.begin(), known.places.end());
  for (const double chance : known.chances) {
    words.push_back(static_cast<std::uint64_t>(std::llround(chance * kSteps)));
  }
  return words;
}

/// For several players: the legal moves, and which fluents are certain.
MergedBuilder::Words MergedBuilder::certain_of(const Known& known, std::uint64_t legal,
                                               const Turn& after) {
  Words certain = after.places[known.places.front()].fluents;
  for (const std::uint32_t place : known.places) {
    const Words& fluents = after.places[place].fluents;
    certain.resize(std::min(certain.size(), fluents.size()));
    for (std::size_t i = 0; i < certain.size(); ++i) certain[i] &= fluents[i];
  }
  while (!certain.empty() && certain.back() == 0) certain.pop_back();
  certain.push_back(legal);
  return certain;
}

/// Adds the states that are possible on another path.
void MergedBuilder::reckon_with(std::vector<std::uint32_t>& places,
                                const std::vector<std::uint32_t>& more) {
  if (std::ranges::includes(places, more)) return;
  std::vector<std::uint32_t> all;
  std::ranges::set_union(places, more, std::back_inserter(all));
  places = std::move(all);
}

}  // namespace ludens::search::hidden
