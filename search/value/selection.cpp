// SPDX-License-Identifier: MIT
#include "search/value/selection.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "search/value/backup.h"

namespace ludens::search::value {

namespace {

constexpr float kNever = -std::numeric_limits<float>::infinity();

/// From `kManyVisits` on, a mean covers about the last `kLastVisits` visits: a float can't hold the
/// change that one visit makes to a longer mean, and the errors of rounding would add up.
constexpr std::uint32_t kManyVisits = 1U << 20, kLastVisits = 1U << 16;

/// The number of visits that the mean counts as.
float weight(std::uint32_t visits) {
  return static_cast<float>(visits < kManyVisits ? visits : kLastVisits);
}

/// Adds a visit with value 0.
void begin(std::uint32_t& visits, float& mean) {
  ++visits;
  mean *= (weight(visits) - 1) / weight(visits);
}

/// Gives that visit its value.
void bring(std::uint32_t visits, float& mean, float value) {
  mean += value / weight(visits);
}

/// Removes that visit. `before`: the mean without any visits.
void forget(std::uint32_t& visits, float& mean, float before) {
  mean = visits > 1 ? mean * weight(visits) / (weight(visits) - 1) : before;
  --visits;
}

/// Calls change(role, option) for each role's part in a joint move.
template <typename Change>
void for_each_option(Node& node, std::uint32_t child, Change&& change) {
  const auto place = node.place(child);
  for (gdl::RoleIndex r = 0; r < place.size(); ++r) change(r, place[r]);
}

void begin(Node& node, std::uint32_t child) {
  ++node.in_flight;
  begin(node.child_visits()[child], node.means()[child]);
  if (node.kind != Kind::AtOnce) return;
  for_each_option(node, child, [&](gdl::RoleIndex, std::uint32_t option) {
    begin(node.option_visits()[option], node.option_means()[option]);
  });
}

void bring(Node& node, std::uint32_t child, std::span<const float> values) {
  --node.in_flight;
  bring(node.child_visits()[child], node.means()[child], values[node.decider]);
  if (node.kind != Kind::AtOnce) return;
  for_each_option(node, child, [&](gdl::RoleIndex r, std::uint32_t option) {
    bring(node.option_visits()[option], node.option_means()[option], values[r]);
  });
}

void forget(Node& node, std::uint32_t child) {
  --node.in_flight;
  forget(node.child_visits()[child], node.means()[child], node.values(node.decider)[child]);
  if (node.kind != Kind::AtOnce) return;
  for_each_option(node, child, [&](gdl::RoleIndex r, std::uint32_t option) {
    forget(node.option_visits()[option], node.option_means()[option], node.option_value(r, option));
  });
}

/// Updates the child at `child` from its node, which may have been made again and know less than
/// was proved before, or more, by descents from other parents. True if anything changed.
bool look_below(Node& node, std::uint32_t child, Node& below) {
  bool changed = false;
  for (gdl::RoleIndex r = 0; r < node.role_count(); ++r) {
    Bounds& bounds = node.bounds(r)[child];
    const Bounds known = mcts::both(bounds, below.own_bounds()[r]);
    const float value = within(known, below.own_values()[r]);
    changed |= known != bounds || value != node.values(r)[child];
    bounds = known;
    node.values(r)[child] = value;
    node.bounded |= known != Bounds();
  }
  return changed;
}

/// Clamps the values of a finished descent to the bounds of a node on its path; where there is
/// noise, only as far as needed to keep the mean of all within them.
void keep_within(Node& node, std::span<float> values, bool noisy_results) {
  const std::uint32_t finished = node.visits - node.in_flight;  // with this one
  const float before = weight(finished) - 1;
  for (gdl::RoleIndex r = 0; r < values.size(); ++r) {
    const Bounds bounds = node.own_bounds()[r];
    const float low = value_of(bounds.low), high = value_of(bounds.high);
    float& mean = node.own_means()[r];
    mean = within(bounds, mean);
    const float counted = noisy_results ? before : 0;
    values[r] = std::clamp(values[r], low - counted * (mean - low), high + counted * (high - mean));
    mean += (values[r] - mean) / (before + 1);
  }
}

}  // namespace

Selection::End Selection::descend(const Tree& tree, Path& path, std::span<float> values,
                                  Tree::Census& census) {
  path.clear();
  for (NodeId id = tree.root();;) {
    Node& node = tree[id];
    const auto held = tree.hold(node);
    const std::uint32_t child = choose(node);
    path.push_back({id, child});
    Tree::count_visit(node, census);
    begin(node, child);
    NodeId& next = node.children()[child];
    const bool known = node.settled(child) || path.size() == rules_.depth;
    if (!known && next != kNoNode && next != kInTheMaking) {
      id = next;
      continue;
    }
    for (gdl::RoleIndex r = 0; r < values.size(); ++r) values[r] = node.values(r)[child];
    if (known) return End::Known;
    if (next == kInTheMaking) return End::Busy;
    next = kInTheMaking;
    return End::New;
  }
}

std::uint32_t Selection::choose(Node& node) {
  if (node.child_count() == 1) return 0;
  switch (node.kind) {
    case Kind::Turn:
      return choose_in_turn(node);
    case Kind::Chance:
      return draw(node.child_visits());
    case Kind::AtOnce:
      return choose_at_once(node);
  }
  return 0;
}

std::uint32_t Selection::choose_in_turn(Node& node) {
  const auto visits = node.child_visits();
  const auto priors = node.priors();
  const auto means = node.means();
  const auto values = node.values(node.decider);
  const float explore = rules_.exploration * std::sqrt(static_cast<float>(node.visits) + 1);
  const float share = rules_.minimax_share;
  scores_.resize(node.child_count());
  for (std::uint32_t child = 0; child < scores_.size(); ++child) {
    const float worth = (1 - share) * means[child] + share * values[child];
    scores_[child] = worth + explore * priors[child] / (1 + static_cast<float>(visits[child]));
  }
  if (node.bounded) leave_out(node);
  return static_cast<std::uint32_t>(std::ranges::max_element(scores_) - scores_.begin());
}

/// Skips children that can't be better than what is proved about another. If that is all of them,
/// and the goals of the other roles are still open, those that are equally good remain.
void Selection::leave_out(Node& node) {
  const Bounds best = best_bounds(node);
  const auto bounds = node.bounds(node.decider);
  const bool settled = best.closed();
  for (std::uint32_t child = 0; child < scores_.size(); ++child) {
    const Bounds of_child = bounds[child];
    if (settled ? of_child.low < best.low : of_child.high <= best.low) scores_[child] = kNever;
  }
}

/// Chooses all equally often: draws one of those with the fewest visits.
std::uint32_t Selection::draw(std::span<const std::uint32_t> visits) {
  const std::uint32_t fewest = std::ranges::min(visits);
  std::uint32_t drawn = 0, seen = 0;
  for (std::uint32_t i = 0; i < visits.size(); ++i) {
    if (visits[i] == fewest && rng_.below(++seen) == 0) drawn = i;
  }
  return drawn;
}

/// Draws an option of `random`: that of the joint move in which it was visited least.
std::uint32_t Selection::draw_at_once(Node& node, gdl::RoleIndex random) {
  std::uint32_t drawn = 0, fewest = 0, seen = 0;
  for (std::uint32_t child = 0; child < node.child_count(); ++child) {
    const std::uint32_t option = node.place(child)[random];
    const std::uint32_t visits = node.option_visits()[option];
    if (child == 0 || visits < fewest) {
      fewest = visits;
      seen = 0;
    }
    if (visits == fewest && rng_.below(++seen) == 0) drawn = option;
  }
  return drawn;
}

/// Each role rates its options independently; takes the considered joint move that suits all best,
/// which is what each would choose if that is among them. Where `random` chooses, too, only those
/// with the option that it draws are considered.
std::uint32_t Selection::choose_at_once(Node& node) {
  const auto begins = node.option_begins();
  const float explore = rules_.exploration * std::sqrt(static_cast<float>(node.visits) + 1);
  scores_.assign(node.option_count(), 0);
  for (gdl::RoleIndex r = 0; r < node.role_count(); ++r) {
    if (r == random_) continue;
    for (std::uint32_t option = begins[r]; option < begins[r + 1]; ++option) {
      const auto visits = static_cast<float>(node.option_visits()[option]);
      scores_[option] =
          node.option_means()[option] + explore * node.option_priors()[option] / (1 + visits);
    }
  }
  const bool by_chance = random_ && node.chooses(*random_);
  const std::uint32_t drawn = by_chance ? draw_at_once(node, *random_) : 0;
  std::uint32_t best = 0;
  float most = kNever;
  for (std::uint32_t child = 0; child < node.child_count(); ++child) {
    if (by_chance && node.place(child)[*random_] != drawn) continue;
    float score = 0;
    for (const std::uint32_t option : node.place(child)) score += scores_[option];
    if (score > most) {
      most = score;
      best = child;
    }
  }
  return best;
}

void Selection::back_up(const Tree& tree, Path& path, NodeId made, std::span<float> values,
                        const Assumptions& game) {
  std::unique_lock<mcts::SpinLock> held;
  if (made != kNoNode) held = tree.hold(tree[made]);
  for (NodeId below = made; !path.empty(); path.pop_back()) {
    const auto [id, child] = path.back();
    Node& node = tree[id];
    auto held_above = tree.hold(node);
    bring(node, child, values);
    const bool learned = below != kNoNode && look_below(node, child, tree[below]);
    const bool mixes = node.kind == Kind::AtOnce;  // by visits, which have changed
    if (learned || mixes) refresh(node, game.adversaries);
    below = id;
    keep_within(node, values, game.noisy_results);
    held = std::move(held_above);
  }
}

void Selection::take_back(const Tree& tree, Path& path, Tree::Census& census) {
  for (; !path.empty(); path.pop_back()) {
    const auto [id, child] = path.back();
    Node& node = tree[id];
    const auto held = tree.hold(node);
    Tree::uncount_visit(node, census);
    forget(node, child);
  }
}

std::vector<gdl::MoveId> main_line(const Tree& tree, gdl::RoleIndex role, gdl::MoveId move) {
  std::vector<gdl::MoveId> line, joint;
  for (NodeId id = tree.root(); id != kNoNode && id != kInTheMaking;) {
    Node& node = tree[id];
    joint.resize(node.role_count());
    std::optional<std::uint32_t> best;
    for (std::uint32_t child = 0; child < node.child_count(); ++child) {
      node.joint_move(child, joint);
      if (id == tree.root() && joint[role] != move) continue;
      if (!best || node.child_visits()[child] > node.child_visits()[*best]) best = child;
    }
    if (!best || (node.child_visits()[*best] == 0 && id != tree.root())) break;
    node.joint_move(*best, joint);
    line.insert(line.end(), joint.begin(), joint.end());
    id = node.children()[*best];
  }
  return line;
}

}  // namespace ludens::search::value
