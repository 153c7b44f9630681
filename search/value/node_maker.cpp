// SPDX-License-Identifier: MIT
#include "search/value/node_maker.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "search/value/backup.h"

namespace ludens::search::value {

namespace {

constexpr std::size_t kMostPairs = 2048;  // of a call of the machine
/// The most joint moves of a position that are considered if several roles choose; if there are
/// more, some are drawn, so that each role's moves occur about equally often.
constexpr std::uint64_t kMostJointMoves = 1024;
constexpr std::size_t kChildrenBetween = 256;  // between two readings of the clock

/// Probabilities by the softmax of the logits of values.
void soften(std::span<const float> values, std::span<float> chances) {
  float most = -1e9F;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const float value = std::clamp(values[i], 0.001F, 0.999F);
    chances[i] = std::log(value / (1 - value));
    most = std::max(most, chances[i]);
  }
  float sum = 0;
  for (float& chance : chances) {
    chance = std::exp(chance - most);
    sum += chance;
  }
  for (float& chance : chances) chance /= sum;
}

/// Probabilities in proportion to weights; uniform if these are all 0.
void share_out(std::span<const float> weights, std::span<float> chances) {
  const float sum = std::reduce(weights.begin(), weights.end());
  for (std::size_t i = 0; i < chances.size(); ++i) {
    chances[i] = sum > 0 ? weights[i] / sum : 1 / static_cast<float>(chances.size());
  }
}

}  // namespace

NodeMaker::NodeMaker(Tree& tree, const gdl::Machine& machine, gdl::Machine::Context& context,
                     ChildValues child_values, Evaluator* evaluator, gdl::Rng rng)
    : tree_(tree),
      machine_(machine),
      context_(context),
      child_values_(std::move(child_values)),
      evaluator_(evaluator),
      rng_(rng),
      roles_(machine.role_count()),
      values_(roles_),
      goals_(roles_) {}

gdl::Status NodeMaker::make(std::span<const Leaf> leaves, bool adversaries) {
  moves_.clear();
  plies_.clear();
  for (const Leaf& leaf : leaves) {
    moves_.push_back(leaf.move);
    plies_.push_back(leaf.ply);
  }
  const gdl::Status status = machine_.expand(context_, moves_, positions_);
  return status == gdl::Status::Ok ? make_all(adversaries) : status;
}

gdl::Status NodeMaker::make_root(gdl::StateView state, std::uint16_t ply,
                                 std::span<const std::vector<gdl::MoveId>> legal,
                                 bool adversaries) {
  plies_.assign(1, ply);
  positions_.states.clear();
  positions_.states.push_back(state);
  positions_.moves.clear();
  positions_.begin.assign(1, 0);
  for (const auto& moves : legal) {
    positions_.moves.insert(positions_.moves.end(), moves.begin(), moves.end());
    positions_.begin.push_back(static_cast<std::uint32_t>(positions_.moves.size()));
  }
  return make_all(adversaries);
}

gdl::Status NodeMaker::make_all(bool adversaries) {
  made_.clear();
  known_.clear();
  children_.clear();
  joint_.clear();
  for (std::size_t i = 0; i < positions_.states.size(); ++i) find_or_begin(i);
  gdl::Status status = gdl::Status::Ok;
  for (std::size_t first = 0; first < children_.size() && status == gdl::Status::Ok;) {
    const std::size_t count = std::min(kMostPairs, children_.size() - first);
    status = expand(first, count);
    if (status == gdl::Status::Ok) status = evaluate_children(first);
    first += count;
  }
  if (status == gdl::Status::Ok && evaluator_ != nullptr) status = ask_evaluator();
  if (status != gdl::Status::Ok) {
    drop();
    return status;
  }
  for (std::size_t i = 0; i < made_.size(); ++i) {
    if (!is_new(i)) continue;
    give_priors(tree_[made_[i]], i);
    refresh(tree_[made_[i]], adversaries);
  }
  return status;
}

void NodeMaker::drop() {
  for (std::size_t i = 0; i < made_.size(); ++i) {
    if (made_[i] == kNoNode) continue;
    if (known_[i]) {
      tree_.let_go(made_[i]);
    } else {
      tree_.drop(made_[i]);
    }
  }
  made_.clear();
  children_.clear();
}

void NodeMaker::find_or_begin(std::size_t position) {
  const gdl::StateView state = positions_.states[position];
  const std::uint32_t hash = mcts::position_hash(state);
  const NodeId known = tree_.find(state, plies_[position], hash);
  known_.push_back(known != kNoNode);
  made_.push_back(known != kNoNode ? known : begin(position));
  if (known != kNoNode || made_.back() == kNoNode) return;
  tree_[made_.back()].hash = hash;
  tree_[made_.back()].ply = plies_[position];
  list_children(made_.back());
}

/// Makes a node without children's values.
NodeId NodeMaker::begin(std::size_t position) {
  const auto random = machine_.random_role();
  std::uint64_t joint = 1;
  std::uint32_t options = 0;
  std::size_t choosing = 0;
  gdl::RoleIndex decider = 0;
  for (gdl::RoleIndex r = 0; r < roles_; ++r) {
    const auto moves = static_cast<std::uint32_t>(positions_.legal(position, r, roles_).size());
    if (moves == 0) return kNoNode;
    joint = std::min(joint * moves, std::uint64_t{1} << 32);
    options += moves;
    if (moves > 1 && choosing++ == 0) decider = r;
  }
  const bool at_once = choosing > 1;
  if (at_once && joint > kMostJointMoves) joint = std::max<std::uint64_t>(kMostJointMoves, options);
  const gdl::StateView state = positions_.states[position];
  const NodeId id = tree_.make({static_cast<std::uint32_t>(joint), at_once ? options : 0,
                                static_cast<std::uint32_t>(state.words().size()),
                                static_cast<std::uint32_t>(roles_)});
  if (id == kNoNode) return id;
  Node& node = tree_[id];
  node.decider = decider;
  node.kind = at_once                              ? Kind::AtOnce
              : choosing == 1 && random == decider ? Kind::Chance
                                                   : Kind::Turn;
  std::ranges::copy(state.words(), node.state().begin());
  for (gdl::RoleIndex r = 0; r < roles_; ++r) {
    node.first_moves()[r] = positions_.legal(position, r, roles_)[0];
  }
  if (at_once) {
    list_options(node, position);
    place_options(node);
  } else {
    std::ranges::copy(positions_.legal(position, decider, roles_), node.moves().begin());
  }
  return id;
}

void NodeMaker::list_options(Node& node, std::size_t position) {
  auto out = node.option_moves().begin();
  for (gdl::RoleIndex r = 0; r < roles_; ++r) {
    node.option_begins()[r] = static_cast<std::uint32_t>(out - node.option_moves().begin());
    out = std::ranges::copy(positions_.legal(position, r, roles_), out).out;
  }
  node.option_begins()[roles_] = node.option_count();
}

/// Places all joint moves, with role 0 changing fastest; or some of them, for which each role's
/// moves are dealt out in an order that is redrawn repeatedly.
void NodeMaker::place_options(Node& node) {
  const auto begins = node.option_begins();
  std::uint64_t joint = 1;
  for (gdl::RoleIndex r = 0; r < roles_; ++r) {
    joint = std::min(joint * (begins[r + 1] - begins[r]), std::uint64_t{1} << 32);
  }
  std::uint64_t stride = 1;
  std::vector<std::uint32_t> deck;
  for (gdl::RoleIndex r = 0; r < roles_; ++r) {
    const std::uint32_t count = begins[r + 1] - begins[r];
    deck.resize(count);
    std::iota(deck.begin(), deck.end(), begins[r]);
    for (std::uint32_t child = 0; child < node.child_count(); ++child) {
      if (joint == node.child_count()) {
        node.place(child)[r] = begins[r] + static_cast<std::uint32_t>(child / stride % count);
        continue;
      }
      const std::uint32_t dealt = child % count;
      std::swap(deck[dealt], deck[dealt + rng_.below(count - dealt)]);
      node.place(child)[r] = deck[dealt];
    }
    stride *= count;
  }
}

void NodeMaker::list_children(NodeId id) {
  Node& node = tree_[id];
  joint_.resize(joint_.size() + node.child_count() * roles_);
  auto joint = std::span(joint_).last(node.child_count() * roles_);
  for (std::uint32_t child = 0; child < node.child_count(); ++child) {
    children_.push_back({id, child});
    node.joint_move(child, joint.subspan(child * roles_, roles_));
  }
}

gdl::Status NodeMaker::expand(std::size_t first, std::size_t count) {
  pairs_.clear();
  for (std::size_t i = first; i < first + count; ++i) {
    pairs_.push_back({gdl::StateView(tree_[children_[i].parent].state()),
                      std::span<const gdl::MoveId>(joint_).subspan(i * roles_, roles_)});
  }
  return machine_.expand(context_, pairs_, outcomes_);
}

/// Evaluates the expanded children, which begin at `first`.
gdl::Status NodeMaker::evaluate_children(std::size_t first) {
  NodeId parent = kNoNode;
  for (std::size_t pair = 0; pair < pairs_.size(); ++pair) {
    if (pair % kChildrenBetween == 0 && context_.limits.stop != nullptr &&
        context_.limits.stop->stop_requested()) {
      return gdl::Status::Stopped;
    }
    const Child child = children_[first + pair];
    Node& node = tree_[child.parent];
    if (outcomes_.terminal[pair] != 0) {
      take_end(node, child.index, pair);
      continue;
    }
    if (evaluator_ != nullptr) continue;
    if (child.parent != parent) child_values_.begin(gdl::StateView(node.state()));
    parent = child.parent;
    child_values_.evaluate(outcomes_, pair, values_);
    for (gdl::RoleIndex r = 0; r < roles_; ++r) node.values(r)[child.index] = values_[r];
  }
  return gdl::Status::Ok;
}

void NodeMaker::take_end(Node& node, std::uint32_t child, std::size_t pair) {
  for (gdl::RoleIndex r = 0; r < roles_; ++r) {
    const std::uint8_t goal = outcomes_.goals[pair * roles_ + r];
    node.values(r)[child] = value_of(goal);
    node.bounds(r)[child] = {goal, goal};
    goals_[r] = goal;
  }
  node.bounded = true;
  goal_sums_.see(goals_, 1, machine_.random_role());
}

gdl::Status NodeMaker::ask_evaluator() {
  list_asked();
  if (asked_.states.size() == 0) return gdl::Status::Ok;
  evaluated_.assign(asked_.states.size() * roles_, 0.0F);
  weights_.assign(asked_.begin.back(), 0.0F);
  try {
    evaluator_->evaluate(asked_, evaluated_, weights_);
  } catch (...) {
    failure_ = std::current_exception();
    return gdl::Status::Stopped;
  }
  for (std::size_t i = 0; i < made_.size(); ++i) {
    if (is_new(i)) hand_down(tree_[made_[i]], i);
  }
  return gdl::Status::Ok;
}

/// Lists the states of the new nodes for the evaluator, each once, though several leaves of a call
/// may have the same.
void NodeMaker::list_asked() {
  asked_.states.clear();
  asked_.moves.clear();
  asked_.begin.assign(1, 0);
  places_.assign(made_.size(), 0);
  for (std::size_t i = 0; i < made_.size(); ++i) {
    if (!is_new(i)) continue;
    const gdl::StateView state = positions_.states[i];
    std::size_t& place = places_[i];
    while (place < asked_.states.size() && asked_.states[place] != state) ++place;
    if (place < asked_.states.size()) continue;
    asked_.states.push_back(state);
    for (gdl::RoleIndex r = 0; r < roles_; ++r) {
      const auto legal = positions_.legal(i, r, roles_);
      asked_.moves.insert(asked_.moves.end(), legal.begin(), legal.end());
      asked_.begin.push_back(static_cast<std::uint32_t>(asked_.moves.size()));
    }
  }
  asked_.terminal.assign(asked_.states.size(), 0);
  asked_.goals.assign(asked_.states.size() * roles_, 0);
}

/// An unvisited child that is not the end gets the value of the position. For the role that
/// chooses, it is lower if it is chosen less often, so that probabilities are the softmax of the
/// logits of values here, too.
void NodeMaker::hand_down(Node& node, std::size_t position) {
  for (gdl::RoleIndex r = 0; r < roles_; ++r) {
    const float own = keep_unsure(evaluated_[places_[position] * roles_ + r]);
    for (std::uint32_t child = 0; child < node.child_count(); ++child) {
      if (!node.settled(child)) node.values(r)[child] = own;
    }
  }
  if (node.kind != Kind::Turn) return;
  const auto given = weights(position, node.decider);
  float most = 0;
  for (std::uint32_t child = 0; child < node.child_count(); ++child) {
    if (!node.settled(child)) most = std::max(most, given[child]);
  }
  if (most <= 0) return;
  for (std::uint32_t child = 0; child < node.child_count(); ++child) {
    float& value = node.values(node.decider)[child];
    if (node.settled(child)) continue;
    const float odds = value / (1 - value) * given[child] / most;
    value = keep_unsure(odds / (1 + odds));
  }
}

std::span<const float> NodeMaker::weights(std::size_t position, gdl::RoleIndex role) const {
  const std::size_t i = places_[position] * roles_ + role;
  return std::span(weights_).subspan(asked_.begin[i], asked_.begin[i + 1] - asked_.begin[i]);
}

void NodeMaker::give_priors(Node& node, std::size_t position) const {
  if (node.kind == Kind::AtOnce) return give_option_priors(node, position);
  const auto values = node.values(node.decider);
  std::ranges::copy(values, node.means().begin());
  if (node.kind == Kind::Chance) {
    std::ranges::fill(node.priors(), 1 / static_cast<float>(node.child_count()));
  } else if (evaluator_ != nullptr) {
    share_out(weights(position, node.decider), node.priors());
  } else {
    soften(values, node.priors());
  }
}

void NodeMaker::give_option_priors(Node& node, std::size_t position) const {
  std::vector<std::uint32_t> counts(node.option_count());
  for (gdl::RoleIndex r = 0; r < roles_; ++r) {
    for (std::uint32_t child = 0; child < node.child_count(); ++child) {
      const std::uint32_t option = node.place(child)[r];
      node.option_means()[option] += node.values(r)[child];
      ++counts[option];
    }
    const std::uint32_t first = node.option_begins()[r];
    const std::uint32_t count = node.option_begins()[r + 1] - first;
    for (std::uint32_t option = first; option < first + count; ++option) {
      node.option_means()[option] /= static_cast<float>(std::max(1U, counts[option]));
    }
    const auto priors = node.option_priors().subspan(first, count);
    if (r == machine_.random_role()) {
      std::ranges::fill(priors, 1 / static_cast<float>(count));
    } else if (evaluator_ != nullptr) {
      share_out(weights(position, r), priors);
    } else {
      soften(node.option_means().subspan(first, count), priors);
    }
  }
  multiply_priors(node);
}

/// The prior of a joint move: the product of those of its options, relative to that of the others.
void NodeMaker::multiply_priors(Node& node) {
  constexpr float kLeast = 1e-20F;  // of the largest product: that of very many roles would be 0
  const auto priors = node.priors();
  std::ranges::fill(priors, 1.0F);
  for (gdl::RoleIndex r = 0; r < node.role_count(); ++r) {
    float most = 0;
    for (std::uint32_t child = 0; child < node.child_count(); ++child) {
      priors[child] *= node.option_priors()[node.place(child)[r]];
      most = std::max(most, priors[child]);
    }
    if (most >= kLeast) continue;
    for (float& prior : priors) prior = most > 0 ? prior / most : 1.0F;
  }
  float sum = 0;
  for (const float prior : priors) sum += prior;
  for (float& prior : priors) prior /= sum;
}

}  // namespace ludens::search::value
