#include "search/alphabeta/alphabeta_search.h"

#include <algorithm>
#include <cmath>

#include "search/strategy/first_choice.h"

namespace ludens::search {

namespace {

/// An unstable evaluation moves the horizon by so many plies at most.
constexpr std::size_t kExtension = 4;

}  // namespace

AlphaBetaSearch::AlphaBetaSearch(const AlphaBetaRules& rules,
                                 std::unique_ptr<Evaluation> evaluation, TranspositionTable* table,
                                 SearchTrace* trace)
    : TwoSidedSearch(std::move(evaluation), rules.mean, trace), rules_(rules), table_(table) {
  // Playouts differ by chance: what looks like a jump is none.
  rules_.quiescence = rules_.quiescence && leaves_.evaluates_cheaply();
}

TreeSearch::Outcome AlphaBetaSearch::search(GameTree& tree, RootMoves& root, std::size_t depth) {
  begin(tree, root, depth);
  details_.clear();
  ordered_.clear();
  root.start_iteration(rules_.order);
  if (table_ != nullptr) table_->start_iteration();
  if (!depth_first(tree, *this)) return Outcome::Stopped;
  root.finish_iteration(tree);
  return cut_ ? Outcome::Cut : Outcome::Complete;
}

AlphaBetaSearch::Window AlphaBetaSearch::widest() const {
  return rules_.bounds ? Window{0, 100} : Window{-kInfinity, kInfinity};
}

AlphaBetaSearch::Window AlphaBetaSearch::window() {
  // Below a chance node every value counts, so none can be bounded.
  if (is_empty() || top().kind == Kind::Chance) return widest();
  const double bar = at_root() ? root_->to_surpass(top().next - 1) : -kInfinity;
  return {bar == -kInfinity ? top().alpha : bar, top().beta};
}

Entered AlphaBetaSearch::enter() {
  const Window now = window();
  const std::size_t limit = is_empty() ? limit_ : details_.back().limit;
  const Arrival arrival = arrive(*tree_, limit);
  const bool searched = arrival == Arrival::Branch || arrival == Arrival::Horizon;
  if (searched && tree_->is_state() && !is_empty() && settled_by_table(limit, now)) {
    settled_depends_on_ = kNoPath;
    settle(Kind::Table);
    return Entered::Leaf;
  }
  if (arrival == Arrival::Branch) return branch(limit, now, 0);
  return arrival == Arrival::Horizon ? horizon(limit, now) : leaf(arrival);
}

Entered AlphaBetaSearch::leaf(Arrival arrival) {
  if (!leaves_.settle(*tree_, arrival, settled_)) return Entered::Stopped;
  if (arrival == Arrival::Horizon || arrival == Arrival::Unknown) cut_ = true;
  settled_depends_on_ = kNoPath;
  if (arrival == Arrival::Recurrence) {
    settled_depends_on_ = tree_->recurrence().value_or(kNoPath);
  }
  settle(leaf_kind(arrival));
  return Entered::Leaf;
}

Entered AlphaBetaSearch::horizon(std::size_t limit, const Window& window) {
  if (!rules_.quiescence || is_empty() || limit >= limit_ + kExtension) {
    return leaf(Arrival::Horizon);
  }
  cut_ = true;
  double evaluation = kUnknownValue;
  if (!leaves_.evaluate(*tree_, evaluation)) return Entered::Stopped;
  if (std::abs(evaluation - details_.back().evaluation) >= rules_.swing) {
    return branch(limit + 1, window, evaluation);
  }
  settled_ = Backup::estimate(evaluation);
  settled_depends_on_ = kNoPath;
  settle(Kind::Estimate);
  return Entered::Leaf;
}

Entered AlphaBetaSearch::branch(std::size_t limit, const Window& window, double evaluation) {
  if (tree_->is_state()) {
    const Arrival arrival = open_branch(*tree_);
    if (arrival != Arrival::Branch) return leaf(arrival);
    // The children are on the horizon: this is what their evaluation is compared with.
    const bool frontier = rules_.quiescence && limit == limit_ && tree_->depth() + 1 == limit;
    if (frontier && !leaves_.evaluate(*tree_, evaluation)) return Entered::Stopped;
  } else {
    evaluation = details_.back().evaluation;
  }
  Detail detail;
  detail.alpha = window.alpha;
  detail.beta = window.beta;
  detail.limit = limit;
  detail.moves_begin = ordered_.size();
  detail.evaluation = evaluation;
  const bool first = is_empty();
  const gdl::RoleIndex decider = tree_->decider();
  if (!order_moves(decider == tree_->first() ? Kind::Max : Kind::Min, first ? 0 : limit)) {
    return Entered::Stopped;
  }
  push(window.alpha, window.beta);
  details_.push_back(detail);
  return Entered::Branch;
}

bool AlphaBetaSearch::is_cut(const Frame& frame) const {
  const Backup& best = frame.best;
  if (frame.kind == Kind::Max) {
    return best.value >= frame.beta || (rules_.bounds && best.low >= rules_.threshold);
  }
  if (frame.kind == Kind::Min) {
    return best.value <= frame.alpha || (rules_.bounds && best.high <= 0);
  }
  return false;
}

gdl::MoveId AlphaBetaSearch::next() {
  Frame& frame = top();
  const auto moves = ordered();
  if (frame.next == moves.size() || is_cut(frame)) return gdl::kNoMove;
  last_move_ = moves[frame.next++];
  return last_move_;
}

void AlphaBetaSearch::unknown() {
  settle_unknown();
  settled_depends_on_ = kNoPath;
}

void AlphaBetaSearch::absorb() {
  const bool better = take();
  Frame& frame = top();
  Detail& detail = details_.back();
  if (better) detail.best = ordered()[frame.next - 1];
  detail.depends_on = std::min(detail.depends_on, settled_depends_on_);
  if (frame.kind == Kind::Max) frame.alpha = std::max(frame.alpha, frame.best.value);
  if (frame.kind == Kind::Min) frame.beta = std::min(frame.beta, frame.best.value);
}

void AlphaBetaSearch::leave() {
  Detail detail = details_.back();
  const auto unseen = ordered().subspan(top().next);
  pop(unseen);
  if (tree_->is_state()) {
    // What depends on this state or on those below it does not depend on the path to it.
    if (detail.depends_on >= tree_->depth()) detail.depends_on = kNoPath;
    store(detail, !unseen.empty());
  }
  settled_depends_on_ = detail.depends_on;
  ordered_.resize(detail.moves_begin);
  details_.pop_back();
}

bool AlphaBetaSearch::settled_by_table(std::size_t limit, const Window& window) {
  const auto* entry = table_ == nullptr ? nullptr : table_->find(tree_->key());
  if (entry == nullptr) return false;
  const Backup& known = entry->backup;
  const bool enough = known.low >= window.beta || (rules_.bounds && known.low >= rules_.threshold);
  if (known.is_exact() || enough || known.high <= window.alpha) {
    settled_ = {enough ? known.low : known.high, known.low, known.high};
    return true;
  }
  using Bound = TranspositionTable::Bound;
  const std::size_t below = limit - std::min(limit, tree_->depth());
  const bool serves = entry->bound == Bound::Exact ||
                      (entry->bound == Bound::Lower && known.value >= window.beta) ||
                      (entry->bound == Bound::Upper && known.value <= window.alpha);
  // Where states recur, estimates of earlier iterations could feed on each other for ever.
  const bool fresh = table_->is_of_this_iteration(*entry);
  if (!serves || !fresh || entry->depth < below) return false;
  cut_ = true;
  settled_ = known;
  return true;
}

void AlphaBetaSearch::store(const Detail& detail, bool cut) {
  if (table_ == nullptr) return;
  using Bound = TranspositionTable::Bound;
  TranspositionTable::Entry entry;
  entry.key = tree_->key();
  entry.backup = settled_;
  entry.move = detail.best;
  entry.depth = (limit_ - std::min(limit_, tree_->depth())) & 0x3fff;
  const bool maximising = tree_->decider() == tree_->first();
  const bool upper = cut ? !maximising : settled_.value <= detail.alpha;
  const bool lower = cut ? maximising : settled_.value >= detail.beta;
  entry.bound = upper ? Bound::Upper : lower ? Bound::Lower : Bound::Exact;
  if (detail.depends_on != kNoPath) {  // on other paths it may be worth more
    entry.backup.high = 100;
    entry.bound = upper ? Bound::None : Bound::Lower;
  }
  table_->store(entry);
}

bool AlphaBetaSearch::order_moves(Kind kind, std::size_t limit) {
  if (is_empty()) {
    for (std::size_t i = 0; i < root_->size(); ++i) ordered_.push_back((*root_)[i]);
    return true;
  }
  const std::size_t begin = ordered_.size();
  const auto moves = tree_->moves();
  ordered_.insert(ordered_.end(), moves.begin(), moves.end());
  if (!rules_.order || moves.size() < 2) return true;
  if (tree_->decides_last() && limit >= tree_->depth() + 2 && !rank_children(kind)) return false;
  const auto* entry =
      table_ == nullptr || !tree_->is_state() ? nullptr : table_->find(tree_->key());
  if (entry == nullptr) return true;
  const auto first = ordered_.begin() + static_cast<std::ptrdiff_t>(begin);
  const auto known = std::find(first, ordered_.end(), entry->move);
  if (known != ordered_.end()) std::rotate(first, known, known + 1);
  return true;
}

bool AlphaBetaSearch::rank_children(Kind kind) {
  const std::size_t count = tree_->moves().size();
  const std::size_t begin = ordered_.size() - count;
  ranked_.clear();
  for (std::size_t i = 0; i < count; ++i) {
    double value = kUnknownValue;
    const gdl::MoveId move = ordered_[begin + i];
    const gdl::Status status = tree_->down(move);
    if (status == gdl::Status::Stopped) return false;
    if (status == gdl::Status::Ok) {
      if (!rank_child(value)) return false;
      tree_->up();
    }
    ranked_.push_back({kind == Kind::Max ? -value : value, move});
  }
  std::ranges::stable_sort(ranked_, {}, &Ranked::value);
  for (std::size_t i = 0; i < count; ++i) ordered_[begin + i] = ranked_[i].move;
  return true;
}

bool AlphaBetaSearch::rank_child(double& value) {
  const Arrival arrival = arrive(*tree_, kDeepest + kExtension);
  if (arrival != Arrival::Branch) {
    Backup backup;
    const bool going_on = leaves_.settle(*tree_, arrival, backup);
    value = backup.value;
    return going_on;
  }
  const auto* entry = table_ == nullptr ? nullptr : table_->find(tree_->key());
  if (entry != nullptr && entry->bound != TranspositionTable::Bound::None) {
    value = entry->backup.value;
    return true;
  }
  return !leaves_.evaluates_cheaply() || leaves_.evaluate(*tree_, value);
}

}  // namespace ludens::search
