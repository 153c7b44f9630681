// SPDX-License-Identifier: MIT
#include "search/value/worker.h"

#include <algorithm>
#include <thread>

namespace ludens::search::value {

namespace {

/// Descents of a pass for each leaf that is wanted: some end where everything is known.
constexpr std::size_t kDescentsALeaf = 4;
constexpr std::size_t kCollectALeaf = 16;  // nodes looked at, for each that is made

}  // namespace

void SharedSearch::restart(std::uint64_t most_states) {
  left = most_states;
  descents = judged = 0;
  depth = 0;
  finished = false;
}

bool SharedSearch::is_decided() const {
  Node& root = tree[tree.root()];
  return root.settled() || root.own_bounds()[role].low >= threshold;
}

void SharedSearch::learn(const mcts::GoalSums& seen, std::size_t players) {
  goal_sums.merge(seen);
  if (!adversaries || (players <= 2 && !goal_sums.vary())) return;
  adversaries = false;
  misled = finished = true;
}

Worker::Worker(SharedSearch& search, const SelectionRules& rules, std::size_t leaves, gdl::Rng rng,
               gdl::MemoryBudget* memory)
    : search_(search),
      selection_(rules, gdl::Rng(rng())),
      most_leaves_(leaves),
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
    values_.resize(machine_->role_count());
  }
  maker_.emplace(search_.tree, *machine_, *context_, Judge(std::move(values)), gdl::Rng(rng_()));
}

bool Worker::plant(gdl::StateView state, const Deadline& deadline) {
  context_->limits.stop = &deadline;
  std::vector<std::vector<gdl::MoveId>> legal(machine_->role_count());
  gdl::Status status = gdl::Status::Ok;
  for (gdl::RoleIndex r = 0; r < legal.size() && status == gdl::Status::Ok; ++r) {
    status = machine_->legal(*context_, state, r, legal[r]);
  }
  if (status == gdl::Status::Ok) status = maker_->make_root(state, legal, search_.adversaries);
  context_->limits.stop = nullptr;
  if (status != gdl::Status::Ok || maker_->made().front() == kNoNode) return false;
  search_.tree.plant(maker_->made().front());
  search_.judged += maker_->judged();
  return true;
}

bool Worker::pass() {
  {
    const std::lock_guard lock(search_.mutex);
    if (search_.finished || search_.left == 0) return false;
    if (!select()) return false;
  }
  if (leaves_ == 0) {
    std::this_thread::yield();  // others make all that there is
    return true;
  }
  const gdl::Status status = make();
  const std::lock_guard lock(search_.mutex);
  take_up(status);
  return true;
}

/// Descents to leaves that are not made yet; those that end elsewhere are done with. False at the
/// end of the search.
bool Worker::select() {
  Tree& tree = search_.tree;
  tree.collect(kCollectALeaf * most_leaves_);
  adversaries_ = search_.adversaries;
  leaves_ = 0;
  for (std::size_t tries = kDescentsALeaf * most_leaves_; tries > 0; --tries) {
    if (search_.is_decided()) search_.finished = true;
    if (search_.finished || search_.left == 0) break;
    Descent& descent = descents_[leaves_];
    const Selection::End end = selection_.descend(tree, descent.path);
    if (end == Selection::End::Busy) {
      Selection::take_back(tree, descent.path);
      break;
    }
    ++search_.descents;
    search_.depth = std::max(search_.depth, static_cast<std::uint32_t>(descent.path.size()));
    if (end == Selection::End::Known) {
      settle(descent.path);
      continue;
    }
    prepare(descent);
    if (++leaves_ == most_leaves_) break;
  }
  return leaves_ > 0 || !search_.finished;
}

void Worker::prepare(Descent& descent) {
  const auto [id, child] = descent.path.back();
  descent.joint.resize(machine_->role_count());
  search_.tree[id].joint_move(child, descent.joint);
}

/// What is known of the child where the descent ends. It counts as a state that was judged, so that
/// a search limited by counts comes to its end.
void Worker::settle(Path& path) {
  const auto [id, child] = path.back();
  Node& node = search_.tree[id];
  for (gdl::RoleIndex r = 0; r < values_.size(); ++r) values_[r] = node.values(r)[child];
  Selection::back_up(search_.tree, path, kNoNode, values_, adversaries_);
  --search_.left;
}

/// Nodes of the leaves; the tree is left alone, but for the states of nodes that descents are under
/// way in.
gdl::Status Worker::make() {
  to_make_.clear();
  for (const Descent& descent : std::span(descents_).first(leaves_)) {
    Node& parent = search_.tree[descent.path.back().node];
    to_make_.push_back({gdl::StateView(parent.state()), descent.joint});
  }
  return maker_->make(to_make_, adversaries_);
}

void Worker::take_up(gdl::Status status) {
  Tree& tree = search_.tree;
  for (std::size_t i = 0; i < leaves_; ++i) {
    Path& path = descents_[i].path;
    const auto [id, child] = path.back();
    Node& parent = tree[id];
    if (status == gdl::Status::Stopped) {
      parent.children()[child] = kNoNode;
      Selection::take_back(tree, path);
      continue;
    }
    // What can't be made for want of memory has been visited all the same.
    const NodeId made = status == gdl::Status::Ok ? maker_->made()[i] : kNoNode;
    parent.children()[child] = made;
    if (made != kNoNode) tree.adopt(made);
    for (gdl::RoleIndex r = 0; r < values_.size(); ++r) {
      values_[r] = made != kNoNode ? tree[made].own_values()[r] : parent.values(r)[child];
    }
    Selection::back_up(tree, path, made, values_, adversaries_);
  }
  if (status == gdl::Status::Stopped) return;
  const std::uint64_t judged = std::max<std::uint64_t>(leaves_, maker_->judged());
  search_.judged += judged;
  search_.left -= std::min(search_.left, judged);
  const std::size_t players = values_.size() - (machine_->random_role() ? 1 : 0);
  search_.learn(maker_->goal_sums(), players);
}

}  // namespace ludens::search::value
