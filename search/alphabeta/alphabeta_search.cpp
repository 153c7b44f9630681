// SPDX-License-Identifier: MIT
#include "search/alphabeta/alphabeta_search.h"

#include <algorithm>
#include <cmath>

#include "search/strategy/first_choice.h"

namespace ludens::search {

namespace {

/// An unstable evaluation moves the horizon by at most this many plies.
constexpr std::size_t kExtension = 4;
/// From this move on, with this many plies left, a move is late.
constexpr std::uint32_t kEarlyMoves = 4;
constexpr std::size_t kReducedPlies = 3;

double just_above(double value) {
  return std::nextafter(value, kInfinity);
}
double just_below(double value) {
  return std::nextafter(value, -kInfinity);
}

}  // namespace

AlphaBetaSearch::AlphaBetaSearch(const AlphaBetaRules& rules,
                                 std::unique_ptr<Evaluation> evaluation, TranspositionTable* table,
                                 SearchTrace* trace)
    : TwoSidedSearch(std::move(evaluation), rules.mean, trace), rules_(rules), table_(table) {
  // Playouts vary randomly: an apparent jump means nothing.
  rules_.quiescence = rules_.quiescence && leaves_.evaluates_cheaply();
  if (!rules_.order) {
    rules_.pvs = rules_.killers = rules_.history = rules_.reductions = false;
    rules_.aspiration = 0;
  }
  rules_.batch = rules_.batch && trace == nullptr;  // a trace shows each node
}

TreeSearch::Outcome AlphaBetaSearch::search(GameTree& tree, RootMoves& root, std::size_t depth) {
  begin(tree, root, depth);
  enough_ = enough_below(rules_.threshold);
  details_.clear();
  ordered_.clear();
  known_.clear();
  root.start_iteration(rules_.order);
  if (table_ != nullptr) table_->start_iteration();
  if (!depth_first(tree, *this)) return Outcome::Stopped;
  root.finish_iteration(tree);
  last_value_ = settled_.value;
  return cut_ ? Outcome::Cut : Outcome::Complete;
}

AlphaBetaSearch::Window AlphaBetaSearch::widest() const {
  return rules_.bounds ? Window{0, 100} : Window{-kInfinity, kInfinity};
}

AlphaBetaSearch::Window AlphaBetaSearch::first_window() const {
  if (rules_.aspiration == 0 || last_value_ == kUnknown) return widest();
  const Window all = widest();
  return {std::max(all.alpha, last_value_ - rules_.aspiration),
          std::min(all.beta, last_value_ + rules_.aspiration)};
}

AlphaBetaSearch::Window AlphaBetaSearch::full_window(const Frame& frame) {
  // Below a chance node every value counts, so none can be bounded.
  if (frame.kind == Kind::Chance) return widest();
  const double bar = at_root() ? root_->to_surpass(frame.next) : -kInfinity;
  return {bar == -kInfinity ? frame.alpha : bar, frame.beta};
}

AlphaBetaSearch::Window AlphaBetaSearch::null_window(Kind kind, const Window& full) {
  if (kind == Kind::Max) return {full.alpha, std::min(full.beta, just_above(full.alpha))};
  return {std::max(full.alpha, just_below(full.beta)), full.beta};
}

void AlphaBetaSearch::first_try(const Frame& frame, Detail& detail) {
  detail.child = full_window(frame);
  detail.reduced = 0;
  if (frame.next == 0 || frame.kind == Kind::Chance) return;
  if (rules_.pvs) detail.child = null_window(frame.kind, detail.child);
  if (rules_.reductions) detail.reduced = reduction(frame, detail);
}

std::size_t AlphaBetaSearch::reduction(const Frame& frame, const Detail& detail) const {
  if (at_root() || frame.next < kEarlyMoves || !tree_->decides_last()) return 0;
  if (detail.limit < tree_->depth() + kReducedPlies) return 0;
  const gdl::MoveId move = ordered()[frame.next];
  return rules_.killers && cutting_.is_killer(tree_->decider(), tree_->depth(), move) ? 0 : 1;
}

bool AlphaBetaSearch::must_repeat() {
  Frame& frame = top();
  Detail& detail = details_.back();
  const bool widened = at_root() && widen_at_root(frame, detail);
  if (frame.kind == Kind::Chance || settled_.is_exact()) return false;
  --frame.next;  // the child just searched
  const Window full = full_window(frame);
  const bool max = frame.kind == Kind::Max;
  const bool better = max ? settled_.value > full.alpha : settled_.value < full.beta;
  const bool beyond = max ? settled_.value >= detail.child.beta && detail.child.beta < full.beta
                          : settled_.value <= detail.child.alpha && detail.child.alpha > full.alpha;
  detail.again = true;
  if (better && detail.reduced > 0) {
    detail.reduced = 0;
  } else if (widened || (better && beyond)) {
    detail.child = full;
  } else {
    detail.again = false;
    ++frame.next;
  }
  return detail.again;
}

bool AlphaBetaSearch::widen_at_root(Frame& frame, Detail& detail) {
  const Window all = widest();
  if (settled_.value >= frame.beta && frame.beta < all.beta) {
    frame.beta = detail.beta = all.beta;
    return true;
  }
  // Once a move has a value, that is the lower end of the window.
  if (frame.next == 1 && settled_.value <= frame.alpha && frame.alpha > all.alpha) {
    frame.alpha = detail.alpha = all.alpha;
    return true;
  }
  return false;
}

Entered AlphaBetaSearch::enter() {
  const Window now = is_empty() ? first_window() : details_.back().child;
  const std::size_t limit = is_empty() ? limit_ : details_.back().limit - details_.back().reduced;
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
    const bool frontier = rules_.quiescence && limit <= limit_ && tree_->depth() + 1 == limit;
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
  known_.resize(ordered_.size());
  const bool frontier = !first && tree_->depth() + 1 == limit && tree_->decides_last();
  return rules_.batch && frontier && !evaluate_children() ? Entered::Stopped : Entered::Branch;
}

bool AlphaBetaSearch::evaluate_children() {
  if (tree_->machine().preferred_batch() == 1) return true;
  const auto moves = ordered();
  const gdl::Status status = tree_->expand(moves, expansion_);
  if (status == gdl::Status::Stopped) return false;
  if (status != gdl::Status::Ok) return true;
  if (!leaves_.evaluate(*tree_, expansion_, evaluations_)) return false;
  const std::size_t begin = details_.back().moves_begin;
  for (std::size_t i = 0; i < moves.size(); ++i) {
    known_[begin + i] = known_child(i, evaluations_[i]);
  }
  return true;
}

AlphaBetaSearch::Known AlphaBetaSearch::known_child(std::size_t i, double evaluation) {
  const std::size_t roles = tree_->machine().role_count();
  if (expansion_.terminal[i] != 0) {
    return {Backup::exact(expansion_.goals[i * roles + tree_->first()]), true};
  }
  for (gdl::RoleIndex role = 0; role < roles; ++role) {
    if (expansion_.legal(i, role, roles).empty()) return {};  // a role has no legal move
  }
  if (tree_->on_path(gdl::hash(expansion_.states[i]))) return {};
  const Detail& detail = details_.back();
  const bool jumps = rules_.quiescence && detail.limit < limit_ + kExtension &&
                     std::abs(evaluation - detail.evaluation) >= rules_.swing;
  return jumps ? Known{} : Known{Backup::estimate(evaluation), true};
}

void AlphaBetaSearch::absorb_known() {
  const std::size_t begin = details_.back().moves_begin;
  const auto moves = ordered();
  while (top().next < moves.size() && !is_cut(top()) && known_[begin + top().next].settled) {
    settled_ = known_[begin + top().next].backup;
    if (!settled_.is_exact()) cut_ = true;
    settled_line_.clear();
    settled_depends_on_ = kNoPath;
    tree_->note(moves[top().next++]);
    absorb_settled();
  }
}

bool AlphaBetaSearch::is_cut(const Frame& frame) const {
  const Backup& best = frame.best;
  if (frame.kind == Kind::Max) {
    return best.value >= frame.beta || (rules_.bounds && best.low >= enough_);
  }
  if (frame.kind == Kind::Min) {
    return best.value <= frame.alpha || (rules_.bounds && best.high <= 0);
  }
  return false;
}

gdl::MoveId AlphaBetaSearch::next() {
  Frame& frame = top();
  Detail& detail = details_.back();
  absorb_known();
  const auto moves = ordered();
  if (!detail.again) {
    if (frame.next == moves.size() || is_cut(frame)) return gdl::kNoMove;
    first_try(frame, detail);
  }
  detail.again = false;
  last_move_ = moves[frame.next++];
  return last_move_;
}

void AlphaBetaSearch::unknown() {
  settle_unknown();
  settled_depends_on_ = kNoPath;
}

void AlphaBetaSearch::absorb() {
  if (!must_repeat()) absorb_settled();
}

void AlphaBetaSearch::absorb_settled() {
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
    // A value that depends on this state or on states below it does not depend on the path to it.
    if (detail.depends_on >= tree_->depth()) detail.depends_on = kNoPath;
    store(detail, !unseen.empty());
  }
  if (!unseen.empty() && detail.best != gdl::kNoMove) note_cut(detail);
  settled_depends_on_ = detail.depends_on;
  ordered_.resize(detail.moves_begin);
  known_.resize(detail.moves_begin);
  details_.pop_back();
}

bool AlphaBetaSearch::settled_by_table(std::size_t limit, const Window& window) {
  const auto* entry = table_ == nullptr ? nullptr : table_->find(tree_->key());
  if (entry == nullptr) return false;
  const Backup& known = entry->backup;
  const bool enough = known.low >= window.beta || (rules_.bounds && known.low >= enough_);
  if (known.is_exact() || enough || known.high <= window.alpha) {
    settled_ = {enough ? known.low : known.high, known.low, known.high};
    return true;
  }
  using Bound = TranspositionTable::Bound;
  const std::size_t below = limit - std::min(limit, tree_->depth());
  const bool serves = entry->bound == Bound::Exact ||
                      (entry->bound == Bound::Lower && known.value >= window.beta) ||
                      (entry->bound == Bound::Upper && known.value <= window.alpha);
  // Where states recur, estimates of earlier iterations could feed on each other forever.
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
  const std::size_t limit = std::min(limit_, detail.limit);
  entry.depth = (limit - std::min(limit, tree_->depth())) & 0x3fff;
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
  const bool ranked = tree_->decides_last() && limit >= tree_->depth() + rules_.rank;
  if (ranked && !rank_children(kind)) return false;
  promote_cutting_moves(std::span(ordered_).subspan(begin), ranked);
  const auto* entry =
      table_ == nullptr || !tree_->is_state() ? nullptr : table_->find(tree_->key());
  if (entry == nullptr) return true;
  const auto first = ordered_.begin() + static_cast<std::ptrdiff_t>(begin);
  const auto known = std::find(first, ordered_.end(), entry->move);
  if (known != ordered_.end()) std::rotate(first, known, known + 1);
  return true;
}

void AlphaBetaSearch::promote_cutting_moves(std::span<gdl::MoveId> moves, bool ranked) {
  const gdl::RoleIndex role = tree_->decider();
  if (rules_.history && !ranked) {
    std::ranges::stable_sort(moves, std::greater<>{},
                             [&](gdl::MoveId move) { return cutting_.history(role, move); });
  }
  if (rules_.killers) {
    std::stable_partition(moves.begin(), moves.end(), [&](gdl::MoveId move) {
      return cutting_.is_killer(role, tree_->depth(), move);
    });
  }
}

void AlphaBetaSearch::note_cut(const Detail& detail) {
  const std::size_t below = detail.limit - std::min(detail.limit, tree_->depth());
  cutting_.note(tree_->decider(), tree_->depth(), below, detail.best);
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
