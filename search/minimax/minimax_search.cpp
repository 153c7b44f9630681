#include "search/minimax/minimax_search.h"

#include <algorithm>

namespace ludens::search {

MinimaxSearch::MinimaxSearch(const MinimaxRules& rules, std::unique_ptr<Evaluation> evaluation,
                             SearchTrace* trace)
    : TwoSidedSearch(std::move(evaluation), rules.mean, trace), rules_(rules) {}

TreeSearch::Outcome MinimaxSearch::search(GameTree& tree, RootMoves& root, std::size_t depth) {
  begin(tree, root, depth);
  root.start_iteration(true);
  if (!depth_first(tree, *this)) return Outcome::Stopped;
  root.finish_iteration(tree);
  return cut_ ? Outcome::Cut : Outcome::Complete;
}

Entered MinimaxSearch::enter() {
  Arrival arrival = arrive(*tree_, limit_);
  if (arrival == Arrival::Branch) arrival = open_branch(*tree_);
  if (arrival == Arrival::Branch) {
    branch();
    return Entered::Branch;
  }
  if (!leaves_.settle(*tree_, arrival, settled_)) return Entered::Stopped;
  if (arrival == Arrival::Horizon || arrival == Arrival::Unknown) cut_ = true;
  settle(leaf_kind(arrival));
  return Entered::Leaf;
}

void MinimaxSearch::branch() {
  // Bounds come down from the node above; a chance node has none to hand down.
  if (!rules_.alpha_beta || is_empty() || top().kind == Kind::Chance) {
    push(-kInfinity, kInfinity);
  } else {
    push(at_root() ? root_->to_surpass(top().next - 1) : top().alpha, top().beta);
  }
}

bool MinimaxSearch::is_cut(const Frame& frame) const {
  const Backup& best = frame.best;
  if (frame.kind == Kind::Max) return best.low >= rules_.enough || best.value >= frame.beta;
  if (frame.kind == Kind::Min) return best.high <= rules_.nothing || best.value <= frame.alpha;
  return false;
}

gdl::MoveId MinimaxSearch::next() {
  Frame& frame = top();
  if (frame.next == tree_->moves().size() || is_cut(frame)) return gdl::kNoMove;
  last_move_ = at_root() ? (*root_)[frame.next] : tree_->moves()[frame.next];
  ++frame.next;
  return last_move_;
}

void MinimaxSearch::absorb() {
  take();
  if (!rules_.alpha_beta) return;
  Frame& frame = top();
  if (frame.kind == Kind::Max) frame.alpha = std::max(frame.alpha, frame.best.value);
  if (frame.kind == Kind::Min) frame.beta = std::min(frame.beta, frame.best.value);
}

void MinimaxSearch::leave() {
  if (!at_root()) return pop(tree_->moves().subspan(top().next));
  std::vector<gdl::MoveId> unseen;  // the root has an order of its own
  for (std::size_t i = top().next; i < root_->size(); ++i) unseen.push_back((*root_)[i]);
  pop(unseen);
}

}  // namespace ludens::search
