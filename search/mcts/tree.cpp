#include "search/mcts/tree.h"

namespace ludens::search::mcts {

namespace {

constexpr std::size_t kGrantBytes = std::size_t{1} << 16;  // asked of the budget at a time
constexpr std::size_t kCollectAtOnce = 4096;               // when the memory is out

}  // namespace

Tree::~Tree() {
  if (memory_ != nullptr) memory_->release(granted_);
}

bool Tree::reserve_now(std::size_t bytes) {
  if (limit_ != 0 && used_ + bytes > limit_) return false;
  if (used_ + bytes > granted_ && memory_ != nullptr) {
    const std::size_t missing = used_ + bytes - granted_;
    const std::size_t grant = std::max(missing, kGrantBytes);
    if (memory_->reserve(grant)) {
      granted_ += grant;
    } else if (memory_->reserve(missing)) {
      granted_ += missing;
    } else {
      return false;
    }
  }
  used_ += bytes;
  return true;
}

bool Tree::reserve(std::size_t bytes) {
  if (reserve_now(bytes)) return true;
  collect(kCollectAtOnce);
  if (reserve_now(bytes)) return true;
  was_full_ = true;
  return false;
}

void Tree::release(std::size_t bytes) {
  used_ -= bytes;
  if (memory_ != nullptr && granted_ > used_ + 4 * kGrantBytes) {
    const std::size_t surplus = granted_ - used_ - 2 * kGrantBytes;
    memory_->release(surplus);
    granted_ -= surplus;
  }
}

NodeId Tree::allocate(const Facts& facts, std::uint16_t epoch) {
  if (free_.empty()) {
    if (!reserve(sizeof(Chunk) + kChunk * sizeof(NodeId))) return kNoNode;
    const auto first = static_cast<NodeId>(chunks_.size() * kChunk);
    chunks_.push_back(std::make_unique<Chunk>());
    for (std::size_t i = kChunk; i-- > 0;) free_.push_back(first + static_cast<NodeId>(i));
  }
  if (!reserve(Node::bytes_for(facts))) return kNoNode;
  const NodeId id = free_.back();
  free_.pop_back();
  (*this)[id].fill(facts, epoch);
  ++size_;
  return id;
}

bool Tree::plant(const Facts& facts, std::uint16_t epoch) {
  clear();
  was_full_ = false;
  root_ = allocate(facts, epoch);
  return root_ != kNoNode;
}

void Tree::advance(NodeId child) {
  Node& old = (*this)[root_];
  old.for_each_child([&](JointCode, NodeId id) {
    if (id != child) dead_.push_back(id);
  });
  const std::size_t bytes = old.bytes();
  old.clear();
  release(bytes);
  free_.push_back(root_);
  --size_;
  root_ = child;
  was_full_ = false;
}

void Tree::clear() {
  if (root_ != kNoNode) dead_.push_back(root_);
  root_ = kNoNode;
}

NodeId Tree::add(NodeId parent, JointCode code, const Facts& facts, std::uint16_t epoch) {
  if (!reserve((*this)[parent].bytes_for_child())) return kNoNode;
  const NodeId id = allocate(facts, epoch);
  if (id == kNoNode) {
    release((*this)[parent].bytes_for_child());
    return kNoNode;
  }
  (*this)[parent].set_child(code, id);
  return id;
}

bool Tree::grow(Node& node) {
  if (node.grown()) return true;
  if (!reserve(node.bytes_for_growth())) return false;
  node.grow();
  return true;
}

bool Tree::restate(NodeId id, gdl::StateView state, std::uint16_t epoch) {
  Node& node = (*this)[id];
  const std::size_t before = node.bytes();
  // The old state's words go at the same time, but only after the new ones have come.
  if (!reserve(state.words().size_bytes())) return false;
  node.restate(state, epoch);
  release(before + state.words().size_bytes() - node.bytes());
  return true;
}

void Tree::collect(std::size_t count) {
  for (; count > 0 && !dead_.empty(); --count) {
    const NodeId id = dead_.back();
    dead_.pop_back();
    Node& node = (*this)[id];
    node.for_each_child([&](JointCode, NodeId child) { dead_.push_back(child); });
    const std::size_t bytes = node.bytes();
    node.clear();
    release(bytes);
    free_.push_back(id);
    --size_;
  }
}

}  // namespace ludens::search::mcts
