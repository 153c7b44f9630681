// SPDX-License-Identifier: MIT
#include "search/value/worker.h"

#include <algorithm>
#include <shared_mutex>
#include <thread>
#include <utility>

namespace ludens::search::value {

namespace {

/// Descents of a pass for each wanted leaf: some end where everything is known.
constexpr std::size_t kDescentsPerLeaf = 4;
constexpr std::size_t kCollectPerLeaf = 16;  // nodes visited for each that is made

}  // namespace

void SharedSearch::restart(std::int64_t most_states) {
  left = most_states;
  finished = false;
  const std::lock_guard lock(mutex_);
  counts_ = {};
}

void SharedSearch::forget_goals() {
  adversaries = true;
  noisy_results = false;
  const std::lock_guard lock(mutex_);
  goal_sums_ = {};
}

bool SharedSearch::is_decided() const {
  Node& root = tree[tree.root()];
  const auto held = tree.hold(root);
  return root.settled_for(role) || root.own_bounds()[role].low >= threshold ||
         root.visits >= Node::kMostVisits;
}

SharedSearch::Counts SharedSearch::counts() const {
  const std::lock_guard lock(mutex_);
  return counts_;
}

void SharedSearch::take_up(const Counts& more, const mcts::GoalSums& seen, std::size_t players) {
  const std::lock_guard lock(mutex_);
  counts_.descents += more.descents;
  counts_.evaluated += more.evaluated;
  counts_.depth = std::max(counts_.depth, more.depth);
  goal_sums_.merge(seen);
  if (!adversaries || (players <= 2 && !goal_sums_.vary())) return;
  adversaries = false;
  misled = finished = true;
}

void SharedSearch::fail(std::exception_ptr why) {
  const std::lock_guard lock(mutex_);
  failure_ = std::move(why);
  finished = true;
}

void SharedSearch::throw_failure() {
  std::exception_ptr why;
  {
    const std::lock_guard lock(mutex_);
    why = std::exchange(failure_, nullptr);
  }
  if (why != nullptr) std::rethrow_exception(why);
}

Worker::Worker(SharedSearch& search, const SelectionRules& rules, std::size_t leaves,
               Evaluator* evaluator, gdl::Rng rng, gdl::MemoryBudget* memory)
    : search_(search),
      selection_(rules, gdl::Rng(rng())),
      most_leaves_(leaves),
      evaluator_(evaluator),
      rng_(gdl::Rng(rng())),
      memory_(memory),
      descents_(leaves) {}

void Worker::use(std::shared_ptr<const gdl::Machine> machine,
                 std::shared_ptr<const ValueFunction> values) {
  if (machine != machine_) {
    maker_.reset();
    context_ = machine->make_context({.stop = nullptr, .memory = memory_});
    machine_ = std::move(machine);
    selection_.use(machine_->random_role());
    if (machine_->random_role()) search_.noisy_results = true;
    for (Descent& descent : descents_) descent.values.resize(machine_->role_count());
  }
  maker_.emplace(search_.tree, *machine_, *context_, ChildValues(std::move(values)), evaluator_,
                 gdl::Rng(rng_()));
}

bool Worker::plant(gdl::StateView state, std::uint16_t ply, const Deadline& deadline) {
  context_->limits.stop = &deadline;
  std::vector<std::vector<gdl::MoveId>> legal(machine_->role_count());
  gdl::Status status = gdl::Status::Ok;
  for (gdl::RoleIndex r = 0; r < legal.size() && status == gdl::Status::Ok; ++r) {
    status = machine_->legal(*context_, state, r, legal[r]);
  }
  if (status == gdl::Status::Ok) status = maker_->make_root(state, ply, legal, search_.adversaries);
  context_->limits.stop = nullptr;
  if (maker_->failure() != nullptr) search_.fail(maker_->failure());
  if (status != gdl::Status::Ok || maker_->made().front() == kNoNode) return false;
  const NodeId root = maker_->made().front();
  if (search_.tree[root].kind == Kind::AtOnce) search_.noisy_results = true;
  search_.tree.plant(root);
  counts_.evaluated += maker_->evaluated();
  hand_in();
  return true;
}

bool Worker::pass() {
  if (search_.finished || search_.left <= 0) return false;
  collect();
  {
    const std::shared_lock lock(search_.in_use);
    select();
  }
  if (leaves_ == 0) {
    hand_in();
    if (search_.finished) return false;
    std::this_thread::yield();  // other threads make all leaves
    return true;
  }
  const gdl::Status status = make();
  const std::shared_lock lock(search_.in_use);
  take_up(status);
  if (maker_->failure() == nullptr) return true;
  search_.fail(maker_->failure());
  return false;
}

void Worker::collect() {
  Tree& tree = search_.tree;
  const std::size_t steps = kCollectPerLeaf * most_leaves_;
  {
    const std::shared_lock lock(search_.in_use);
    tree.collect(steps);
    if (!tree.wants_pruning()) return;
  }
  const std::unique_lock lock(search_.in_use);
  tree.prune(steps);
}

/// Selects descents to leaves that are not made yet; finishes those that end elsewhere.
void Worker::select() {
  Tree& tree = search_.tree;
  adversaries_ = search_.adversaries;
  leaves_ = 0;
  for (std::size_t tries = kDescentsPerLeaf * most_leaves_; tries > 0; --tries) {
    if (search_.is_decided()) search_.finished = true;
    if (search_.finished || search_.left <= 0) break;
    Descent& descent = descents_[leaves_];
    const Selection::End end = selection_.descend(tree, descent.path, descent.values, census_);
    if (end == Selection::End::Busy) {
      Selection::take_back(tree, descent.path, census_);
      break;
    }
    counts_.depth = std::max(counts_.depth, static_cast<std::uint32_t>(descent.path.size()));
    if (end == Selection::End::Known) {
      // It counts as an evaluated state, so that a search limited by counts ends.
      Selection::back_up(tree, descent.path, kNoNode, descent.values, assumptions());
      ++counts_.descents;
      --search_.left;
      continue;
    }
    prepare(descent);
    if (++leaves_ == most_leaves_) break;
  }
}

void Worker::prepare(Descent& descent) {
  const auto [id, child] = descent.path.back();
  descent.joint.resize(machine_->role_count());
  search_.tree[id].joint_move(child, descent.joint);
}

/// Makes the nodes of the leaves. Does not touch the tree, except the states of nodes in which
/// descents are running.
gdl::Status Worker::make() {
  to_make_.clear();
  for (const Descent& descent : std::span(descents_).first(leaves_)) {
    Node& parent = search_.tree[descent.path.back().node];
    to_make_.push_back({{gdl::StateView(parent.state()), descent.joint},
                        static_cast<std::uint16_t>(parent.ply + 1)});
  }
  return maker_->make(to_make_, adversaries_);
}

/// Makes the node of a leaf the child that its descent was on the way to. The descent brings back
/// the value of the node.
NodeId Worker::link(std::size_t leaf) {
  Tree& tree = search_.tree;
  Descent& descent = descents_[leaf];
  NodeId id = maker_->made()[leaf];
  if (maker_->is_new(leaf)) id = tree.enter(id, census_);
  if (id != kNoNode) {
    if (tree[id].kind == Kind::AtOnce) search_.noisy_results = true;
    const auto held = tree.hold(tree[id]);
    std::ranges::copy(tree[id].own_values(), descent.values.begin());
  }
  return id;
}

void Worker::take_up(gdl::Status status) {
  Tree& tree = search_.tree;
  std::size_t not_made = 0;
  for (std::size_t i = 0; i < leaves_; ++i) {
    // A node that can't be made for lack of memory has been visited nevertheless.
    const NodeId made = status == gdl::Status::Ok ? link(i) : kNoNode;
    if (made == kNoNode) ++not_made;
    Descent& descent = descents_[i];
    {
      const auto [id, child] = descent.path.back();
      const auto held = tree.hold(tree[id]);
      tree[id].children()[child] = made;
    }
    if (status == gdl::Status::Stopped) {
      Selection::take_back(tree, descent.path, census_);
    } else {
      Selection::back_up(tree, descent.path, made, descent.values, assumptions());
    }
  }
  if (status != gdl::Status::Stopped) {
    const std::size_t evaluated = status == gdl::Status::Ok ? maker_->evaluated() : 0;
    counts_.evaluated += evaluated;
    counts_.descents += leaves_;
    // A leaf without a node counts as a state, so that a search limited by counts ends. One that
    // the tree had costs nothing; there are no more of them than edges.
    search_.left -= static_cast<std::int64_t>(evaluated + not_made);
  }
  hand_in();
}

void Worker::hand_in() {
  search_.tree.take_up(census_);
  const std::size_t players = machine_->role_count() - (machine_->random_role() ? 1 : 0);
  search_.take_up(std::exchange(counts_, {}), maker_->goal_sums(), players);
}

}  // namespace ludens::search::value
