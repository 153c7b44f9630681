// SPDX-License-Identifier: MIT
#include "search/hidden/cfr_plus.h"

#include <algorithm>
#include <numeric>
#include <span>

namespace ludens::search::hidden {

namespace {

using History = ExtensiveForm::History;

/// Probabilities in proportion to the weights, or uniform if all are zero.
void normalise(std::span<const double> weights, std::span<double> out) {
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i] = sum > 0 ? weights[i] / sum : 1.0 / static_cast<double>(out.size());
  }
}

}  // namespace

CfrPlus::CfrPlus(const ExtensiveForm& form)
    : form_(form),
      sets_of_(form.roles()),
      regrets_(form.actions(), 0.0),
      gains_(form.actions(), 0.0),
      current_(form.actions(), 0.0),
      averages_(form.actions(), 0.0),
      own_(form.histories().size()),
      others_(form.histories().size()),
      values_(form.histories().size()),
      set_reach_(form.sets().size()) {
  for (SetId s = 0; s < form.sets().size(); ++s) sets_of_[form.sets()[s].role].push_back(s);
  for (const gdl::RoleIndex player : form.players()) match_regrets(player);
}

bool CfrPlus::iterate(const gdl::StopSignal* stop) {
  ++iterations_;
  for (const gdl::RoleIndex player : form_.players()) {
    if (!hand_down(player, stop) || !value(player, stop)) {
      std::ranges::fill(gains_, 0.0);
      --iterations_;
      return false;
    }
    learn(player);
    match_regrets(player);
  }
  return true;
}

void CfrPlus::match_regrets(gdl::RoleIndex player) {
  for (const SetId s : sets_of_[player]) {
    const auto& set = form_.sets()[s];
    normalise(std::span(regrets_).subspan(set.first_action, set.moves.size()),
              std::span(current_).subspan(set.first_action, set.moves.size()));
  }
}

/// False if it was stopped.
bool CfrPlus::hand_down(gdl::RoleIndex player, const gdl::StopSignal* stop) {
  const auto histories = form_.histories();
  if (form_.merged()) {
    std::ranges::fill(others_, 0.0);
    follow_links(player);
  }
  own_[0] = others_[0] = 1;
  for (HistoryId h = 0; h < histories.size(); ++h) {
    if (stops_at(h, stop)) return false;
    const History& history = histories[h];
    const auto* set =
        history.kind == History::Kind::Decision ? &form_.sets()[history.which] : nullptr;
    const bool mine = set != nullptr && set->role == player;
    if (form_.merged()) {
      if (others_[h] == 0) continue;
      for (std::uint32_t i = 0; i < history.children; ++i) {
        const double p = set == nullptr ? 1.0 / history.children : current_[set->first_action + i];
        others_[form_.child(history, i)] += others_[h] * (mine ? 1.0 : p);
      }
      continue;
    }
    if (mine) set_reach_[history.which] = own_[h];  // the same in all histories of the set
    for (std::uint32_t i = 0; i < history.children; ++i) {
      const double p = set == nullptr ? 1.0 / history.children : current_[set->first_action + i];
      own_[history.first_child + i] = own_[h] * (mine ? p : 1.0);
      others_[history.first_child + i] = others_[h] * (mine ? 1.0 : p);
    }
  }
  return true;
}

/// Merged: the contribution of the player's own moves, summed over everything that it may have seen
/// on the way.
void CfrPlus::follow_links(gdl::RoleIndex player) {
  knowledge_reach_.assign(form_.knowledge_size(), 0.0);
  knowledge_reach_[ExtensiveForm::kBeginning] = 1;
  for (const auto& link : form_.links(player)) {
    const double p = link.action == ExtensiveForm::Link::kNoChoice ? 1.0 : current_[link.action];
    knowledge_reach_[link.to] += p * knowledge_reach_[link.from];
  }
  for (const SetId s : sets_of_[player]) {
    set_reach_[s] = knowledge_reach_[form_.sets()[s].knowledge];
  }
}

/// Computes values from the ends up, and the gain of each move over the current mixture. False if
/// it was stopped.
bool CfrPlus::value(gdl::RoleIndex player, const gdl::StopSignal* stop) {
  const auto histories = form_.histories();
  for (auto h = static_cast<HistoryId>(histories.size()); h-- > 0;) {
    if (stops_at(h, stop)) return false;
    const History& history = histories[h];
    if (others_[h] == 0) continue;  // irrelevant: it is reached with probability 0
    if (history.kind == History::Kind::End) {
      values_[h] = form_.goals(history)[player];
      continue;
    }
    double sum = 0;
    if (history.kind == History::Kind::Chance) {
      for (std::uint32_t i = 0; i < history.children; ++i) {
        sum += values_[form_.child(history, i)];
      }
      values_[h] = sum / history.children;
      continue;
    }
    const auto& set = form_.sets()[history.which];
    const double* p = current_.data() + set.first_action;
    for (std::uint32_t i = 0; i < history.children; ++i) {
      sum += p[i] * values_[form_.child(history, i)];
    }
    values_[h] = sum;
    if (set.role != player) continue;
    double* gains = gains_.data() + set.first_action;
    for (std::uint32_t i = 0; i < history.children; ++i) {
      gains[i] += others_[h] * (values_[form_.child(history, i)] - sum);
    }
  }
  return true;
}

void CfrPlus::learn(gdl::RoleIndex player) {
  for (const SetId s : sets_of_[player]) {
    const auto& set = form_.sets()[s];
    const double weight = static_cast<double>(iterations_) * set_reach_[s];
    for (std::size_t a = set.first_action; a < set.first_action + set.moves.size(); ++a) {
      averages_[a] += weight * current_[a];
      regrets_[a] = std::max(0.0, regrets_[a] + gains_[a]);
      gains_[a] = 0;
    }
  }
}

BehaviourStrategy CfrPlus::average() const {
  BehaviourStrategy strategy(averages_.size());
  for (const auto& set : form_.sets()) {
    normalise(std::span(averages_).subspan(set.first_action, set.moves.size()),
              std::span(strategy).subspan(set.first_action, set.moves.size()));
  }
  return strategy;
}

}  // namespace ludens::search::hidden
