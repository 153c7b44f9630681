// SPDX-License-Identifier: MIT
#include "search/minimax/minimax_search.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "search/strategy/first_choice.h"

namespace ludens::search {

namespace {

/// An unstable evaluation moves the horizon by at most this many plies.
constexpr std::size_t kExtension = 4;
/// Goal points by which the evaluation differs from that one ply before if it jumps.
constexpr double kJump = 15;

double just_above(double value) {
  return std::nextafter(value, kInfinity);
}
double just_below(double value) {
  return std::nextafter(value, -kInfinity);
}

}  // namespace

MinimaxSearch::MinimaxSearch(const MinimaxRules& rules, std::unique_ptr<Evaluation> evaluation,
                             TranspositionTable* table, SearchTrace* trace)
    : rules_(rules), evaluation_(std::move(evaluation)), table_(table), trace_(trace) {
  // Playouts vary randomly: an apparent jump means nothing.
  rules_.quiescence = rules_.quiescence && evaluation_->is_cheap();
  if (!rules_.order) {
    rules_.pvs = rules_.killers = rules_.history = false;
    rules_.aspiration = 0;
  }
}

TreeSearch::Outcome MinimaxSearch::search(GameTree& tree, RootMoves& root, std::size_t depth) {
  tree_ = &tree;
  root_ = &root;
  limit_ = depth;
  // Where chance counts with its mean, every point below it counts.
  const bool chance = rules_.mean && tree.machine().random_role().has_value();
  enough_ = chance ? std::max(rules_.enough, 100.0) : rules_.enough;
  cut_ = false;
  open_ = 0;
  ordered_.clear();
  last_move_ = gdl::kNoMove;
  if (trace_ != nullptr) trace_->clear();
  root.start_iteration(rules_.reorder);
  if (table_ != nullptr) table_->start_iteration();
  if (!depth_first(tree, *this)) return Outcome::Stopped;
  root.finish_iteration(tree);
  last_value_ = settled_.value;
  return cut_ ? Outcome::Cut : Outcome::Complete;
}

// ---- windows ----

MinimaxSearch::Window MinimaxSearch::widest() const {
  return rules_.alpha_beta && rules_.nothing == 0 ? Window{0, 100} : Window{};
}

MinimaxSearch::Window MinimaxSearch::first_window() const {
  if (rules_.aspiration == 0 || last_value_ == kUnknown) return widest();
  const Window all = widest();
  return {std::max(all.alpha, last_value_ - rules_.aspiration),
          std::min(all.beta, last_value_ + rules_.aspiration)};
}

MinimaxSearch::Window MinimaxSearch::full_window(const Frame& frame) {
  // Below a chance node every value counts, so none can be bounded.
  if (!rules_.alpha_beta || frame.kind == Kind::Chance) return widest();
  const double bar = at_root() ? root_->to_surpass(frame.next) : -kInfinity;
  return {bar == -kInfinity ? frame.alpha : bar, frame.beta};
}

MinimaxSearch::Window MinimaxSearch::null_window(Kind kind, const Window& full) {
  if (kind == Kind::Max) return {full.alpha, std::min(full.beta, just_above(full.alpha))};
  return {std::max(full.alpha, just_below(full.beta)), full.beta};
}

bool MinimaxSearch::must_repeat() {
  if (!rules_.pvs && rules_.aspiration == 0) return false;
  Frame& frame = top();
  const bool widened = at_root() && widen_at_root(frame);
  if (frame.kind == Kind::Chance || settled_.is_exact()) return false;
  --frame.next;  // the child just searched
  const Window full = full_window(frame);
  const bool max = frame.kind == Kind::Max;
  const bool better = max ? settled_.value > full.alpha : settled_.value < full.beta;
  const bool beyond = max ? settled_.value >= frame.child.beta && frame.child.beta < full.beta
                          : settled_.value <= frame.child.alpha && frame.child.alpha > full.alpha;
  frame.again = widened || (better && beyond);
  if (frame.again) {
    frame.child = full;
  } else {
    ++frame.next;
  }
  return frame.again;
}

bool MinimaxSearch::widen_at_root(Frame& frame) {
  const Window all = widest();
  if (settled_.value >= frame.beta && frame.beta < all.beta) {
    frame.beta = frame.passed.beta = all.beta;
    return true;
  }
  // Once a move has a value, that is the lower end of the window.
  if (frame.next == 1 && settled_.value <= frame.alpha && frame.alpha > all.alpha) {
    frame.alpha = frame.passed.alpha = all.alpha;
    return true;
  }
  return false;
}

// ---- nodes that are entered ----

Entered MinimaxSearch::enter() {
  const Window now = is_empty() ? first_window() : top().child;
  const std::size_t limit = is_empty() ? limit_ : top().limit;
  const Arrival arrival = arrive(*tree_, limit);
  const bool searched = arrival == Arrival::Branch || arrival == Arrival::Horizon;
  if (searched && tree_->is_state() && !is_empty() && settled_by_table(limit, now)) {
    settled_depends_on_ = kNoPath;
    show(Kind::Table);
    return Entered::Leaf;
  }
  if (arrival == Arrival::Branch) return branch(limit, now, 0);
  return arrival == Arrival::Horizon ? horizon(limit, now) : leaf(arrival);
}

Entered MinimaxSearch::leaf(Arrival arrival) {
  if (!settle(arrival, settled_)) return Entered::Stopped;
  if (arrival == Arrival::Horizon || arrival == Arrival::Unknown) cut_ = true;
  settled_depends_on_ = kNoPath;
  if (arrival == Arrival::Recurrence) {
    settled_depends_on_ = tree_->recurrence().value_or(kNoPath);
  }
  show(leaf_kind(arrival));
  return Entered::Leaf;
}

bool MinimaxSearch::settle(Arrival arrival, Backup& out) {
  out = Backup::estimate(kUnknownValue);
  if (arrival == Arrival::Stopped) return false;
  if (arrival == Arrival::Recurrence) {
    // A mean over a cycle is below its limit, so what is found there proves no upper bound.
    const bool open = rules_.mean && tree_->recurs_by_chance();
    out = {kNeverEnds, kNeverEnds, open ? 100 : kNeverEnds};
  } else if (arrival == Arrival::Terminal) {
    goals_.resize(tree_->machine().role_count());
    const gdl::Status status = tree_->goals(goals_);
    if (status == gdl::Status::Ok) out = Backup::exact(goals_[tree_->first()]);
    return status != gdl::Status::Stopped;
  } else if (arrival == Arrival::Horizon) {
    double value = kUnknownValue;
    const bool going_on = evaluate(value);
    out = Backup::estimate(value);
    return going_on;
  }
  return true;
}

bool MinimaxSearch::evaluate(double& out) {
  estimates_.resize(tree_->machine().role_count());
  if (evaluation_->exhausted()) return false;
  const gdl::Status status = evaluation_->evaluate(*tree_, estimates_);
  out = status == gdl::Status::Ok ? estimates_[tree_->first()] : kUnknownValue;
  return status != gdl::Status::Stopped;
}

void MinimaxSearch::show(Kind kind) {
  settled_line_.clear();
  if (trace_ == nullptr) return;
  trace_->enter(trace_node(*tree_, kind, last_move_, -kInfinity, kInfinity));
  trace_->leave({&settled_.value, 1});
}

Entered MinimaxSearch::horizon(std::size_t limit, const Window& window) {
  if (!rules_.quiescence || is_empty() || limit >= limit_ + kExtension) {
    return leaf(Arrival::Horizon);
  }
  cut_ = true;
  double evaluation = kUnknownValue;
  if (!evaluate(evaluation)) return Entered::Stopped;
  if (std::abs(evaluation - top().evaluation) >= kJump) {
    return branch(limit + 1, window, evaluation);
  }
  settled_ = Backup::estimate(evaluation);
  settled_depends_on_ = kNoPath;
  show(Kind::Estimate);
  return Entered::Leaf;
}

Entered MinimaxSearch::branch(std::size_t limit, const Window& window, double evaluation) {
  if (tree_->is_state()) {
    const Arrival arrival = open_branch(*tree_);
    if (arrival != Arrival::Branch) return leaf(arrival);
    // The children are on the horizon: this is what their evaluation is compared with.
    const bool frontier = rules_.quiescence && limit <= limit_ && tree_->depth() + 1 == limit;
    if (frontier && !evaluate(evaluation)) return Entered::Stopped;
  } else {
    evaluation = top().evaluation;
  }
  const std::size_t moves_begin = ordered_.size();
  const bool max = tree_->decider() == tree_->first();
  if (!order_moves(max ? Kind::Max : Kind::Min, limit)) return Entered::Stopped;
  push(limit, window, moves_begin, evaluation);
  return Entered::Branch;
}

void MinimaxSearch::push(std::size_t limit, const Window& window, std::size_t moves_begin,
                         double evaluation) {
  if (frames_.size() == open_) frames_.emplace_back();
  Frame& frame = frames_[open_++];
  const gdl::RoleIndex decider = tree_->decider();
  const bool chance = rules_.mean && tree_->machine().random_role() == decider;
  frame.kind = decider == tree_->first() ? Kind::Max : chance ? Kind::Chance : Kind::Min;
  frame.next = 0;
  frame.alpha = window.alpha;
  frame.beta = window.beta;
  frame.passed = window;
  frame.limit = limit;
  frame.moves_begin = moves_begin;
  frame.depends_on = kNoPath;
  frame.best_move = gdl::kNoMove;
  frame.evaluation = evaluation;
  frame.again = false;
  frame.line.clear();
  if (frame.kind == Kind::Max) frame.best = Backup::before_max();
  if (frame.kind == Kind::Min) frame.best = Backup::before_min();
  if (chance) frame.best = Backup::exact(0);
  if (chance && rules_.star) frame.outcomes.start(ordered().size(), window.alpha, window.beta);
  if (trace_ != nullptr) {
    trace_->enter(trace_node(*tree_, frame.kind, last_move_, window.alpha, window.beta));
  }
}

// ---- children, one after the other ----

bool MinimaxSearch::is_cut(const Frame& frame) const {
  const Backup& best = frame.best;
  if (frame.kind == Kind::Max) return best.value >= frame.beta || best.low >= enough_;
  if (frame.kind == Kind::Min) return best.value <= frame.alpha || best.high <= rules_.nothing;
  return false;
}

gdl::MoveId MinimaxSearch::next() {
  Frame& frame = top();
  const auto moves = ordered();
  if (has_bounded_outcomes()) {
    frame.next = static_cast<std::uint32_t>(frame.outcomes.next());
    frame.child = {frame.outcomes.alpha(), frame.outcomes.beta()};
  } else if (!frame.again) {
    if (is_cut(frame) || frame.next == moves.size()) return gdl::kNoMove;
    frame.child = full_window(frame);
    const bool later = rules_.pvs && frame.next > 0 && frame.kind != Kind::Chance;
    if (later) frame.child = null_window(frame.kind, frame.child);
  }
  if (frame.next == moves.size()) return gdl::kNoMove;
  frame.again = false;
  last_move_ = moves[frame.next++];
  return last_move_;
}

void MinimaxSearch::unknown() {
  cut_ = true;
  (void)settle(Arrival::Unknown, settled_);
  settled_line_.clear();
  settled_depends_on_ = kNoPath;
}

void MinimaxSearch::absorb() {
  if (must_repeat()) return;
  Frame& frame = top();
  frame.depends_on = std::min(frame.depends_on, settled_depends_on_);
  if (has_bounded_outcomes()) return frame.outcomes.take(settled_);
  const bool better = frame.kind == Kind::Max   ? frame.best.maximise(settled_)
                      : frame.kind == Kind::Min ? frame.best.minimise(settled_)
                                                : frame.best.add(settled_);
  if (better || at_root()) write_line(*tree_, settled_line_, frame.line);
  if (at_root()) root_->record(frame.next - 1, settled_, frame.line, *tree_);
  if (better) frame.best_move = ordered()[frame.next - 1];
  if (!rules_.alpha_beta) return;
  if (frame.kind == Kind::Max) frame.alpha = std::max(frame.alpha, frame.best.value);
  if (frame.kind == Kind::Min) frame.beta = std::min(frame.beta, frame.best.value);
}

void MinimaxSearch::leave() {
  Frame& frame = top();
  const auto moves = ordered();
  unseen_.clear();
  if (has_bounded_outcomes()) {
    for (std::size_t i = frame.outcomes.seen(); i < moves.size(); ++i) unseen_.push_back(moves[i]);
    frame.best = frame.outcomes.sum();
    frame.next = static_cast<std::uint32_t>(moves.size());
  } else {
    for (std::size_t i = frame.next; i < moves.size(); ++i) unseen_.push_back(moves[i]);
  }
  pop(unseen_);
  if (tree_->is_state()) {
    // A value that depends on this state or on states below it does not depend on the path to it.
    if (frame.depends_on >= tree_->depth()) frame.depends_on = kNoPath;
    store(frame, !unseen_.empty());
  }
  if (rules_.order && !unseen_.empty() && frame.best_move != gdl::kNoMove) {
    const std::size_t below = frame.limit - std::min(frame.limit, tree_->depth());
    cutting_.note(tree_->decider(), tree_->depth(), below, frame.best_move);
  }
  settled_depends_on_ = frame.depends_on;
  ordered_.resize(frame.moves_begin);
}

void MinimaxSearch::pop(std::span<const gdl::MoveId> unseen) {
  Frame& frame = top();
  settled_ = frame.best;
  if (frame.kind == Kind::Max && !unseen.empty()) settled_.high = 100;
  if (frame.kind == Kind::Min && !unseen.empty()) settled_.low = 0;
  if (frame.kind == Kind::Chance) settled_.divide(static_cast<double>(frame.next));
  settled_.value = std::clamp(settled_.value, settled_.low, settled_.high);
  settled_line_.swap(frame.line);
  if (trace_ != nullptr) trace_->leave({&settled_.value, 1}, unseen);
  --open_;
}

// ---- the table ----

bool MinimaxSearch::settled_by_table(std::size_t limit, const Window& window) {
  const auto* entry = table_ == nullptr ? nullptr : table_->find(tree_->key());
  if (entry == nullptr) return false;
  const Backup& known = entry->backup;
  const bool enough = known.low >= window.beta || known.low >= enough_;
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

void MinimaxSearch::store(const Frame& frame, bool cut) {
  if (table_ == nullptr) return;
  using Bound = TranspositionTable::Bound;
  TranspositionTable::Entry entry;
  entry.key = tree_->key();
  entry.backup = settled_;
  entry.move = frame.best_move;
  const std::size_t limit = std::min(limit_, frame.limit);
  entry.depth = (limit - std::min(limit, tree_->depth())) & 0x3fff;
  const bool maximising = tree_->decider() == tree_->first();
  const bool upper = cut ? !maximising : settled_.value <= frame.passed.alpha;
  const bool lower = cut ? maximising : settled_.value >= frame.passed.beta;
  entry.bound = upper ? Bound::Upper : lower ? Bound::Lower : Bound::Exact;
  if (frame.depends_on != kNoPath) {  // on other paths it may be worth more
    entry.backup.high = 100;
    entry.bound = upper ? Bound::None : Bound::Lower;
  }
  table_->store(entry);
}

// ---- the order of moves ----

bool MinimaxSearch::order_moves(Kind kind, std::size_t limit) {
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

void MinimaxSearch::promote_cutting_moves(std::span<gdl::MoveId> moves, bool ranked) {
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

bool MinimaxSearch::rank_children(Kind kind) {
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

bool MinimaxSearch::rank_child(double& value) {
  const Arrival arrival = arrive(*tree_, kDeepest + kExtension);
  if (arrival != Arrival::Branch) {
    Backup backup;
    const bool going_on = settle(arrival, backup);
    value = backup.value;
    return going_on;
  }
  const auto* entry = table_ == nullptr ? nullptr : table_->find(tree_->key());
  if (entry != nullptr && entry->bound != TranspositionTable::Bound::None) {
    value = entry->backup.value;
    return true;
  }
  return !evaluation_->is_cheap() || evaluate(value);
}

}  // namespace ludens::search
