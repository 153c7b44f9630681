// SPDX-License-Identifier: MIT
#include "search/induction/backward.h"

#include <algorithm>

#include "search/induction/matrix_game.h"
#include "search/tree/backup.h"

namespace ludens::search {

namespace {

using gdl::Status;

/// Memory is reserved from the budget in pieces of this size.
constexpr std::size_t kPiece = std::size_t{1} << 20;
constexpr double kRise = 1e-12;  // a smaller change does not count
/// Pairs of a call, for a machine that treats one at a time: few, so that a call ends soon.
constexpr std::size_t kFewest = 16;
/// A state with more joint moves counts as too large, however much memory there is.
constexpr std::size_t kMostJointMoves = std::size_t{1} << 24;
constexpr std::size_t kStatesBetween = 1024, kEdgesBetween = 1024;  // between readings of the clock
constexpr std::size_t kState = 64;  // the cost of a state without its edges, in edges

}  // namespace

BackwardInduction::BackwardInduction(std::shared_ptr<const gdl::Machine> machine,
                                     gdl::RoleIndex role, const Deadline& deadline,
                                     gdl::MemoryBudget* memory, Choices choices)
    : machine_(std::move(machine)),
      role_(role),
      deadline_(deadline),
      choices_(choices),
      memory_(memory),
      context_(machine_->make_context({.stop = &deadline, .memory = memory})),
      indices_(memory),
      legal_(machine_->role_count()) {}

bool BackwardInduction::grow(std::size_t bytes) {
  // Vectors double: their contents may exist twice while they move.
  needed_ += 2 * bytes;
  return held_.hold(needed_, memory_, kPiece);
}

/// Makes room for the pairs of a pass, which later passes use again.
bool BackwardInduction::list(std::size_t pairs) {
  if (pairs <= most_pairs_) return true;
  const std::size_t more = pairs - most_pairs_;
  most_pairs_ = pairs;
  return grow(more * (sizeof(Index) + legal_.size() * sizeof(gdl::MoveId)));
}

bool BackwardInduction::add_ahead(std::span<const gdl::MoveId> legal) {
  ahead_.push_back(static_cast<std::uint32_t>(legal.size()));
  ahead_.insert(ahead_.end(), legal.begin(), legal.end());
  needed_ += (1 + legal.size()) * sizeof(std::uint32_t);
  return grow(0);
}

/// What was reserved stays reserved for later use.
void BackwardInduction::take_ahead(std::vector<gdl::MoveId>& legal) {
  const auto begin = ahead_.begin() + 1;
  const auto end = begin + static_cast<std::ptrdiff_t>(ahead_.front());
  legal.assign(begin, end);
  ahead_.erase(ahead_.begin(), end);
  needed_ -= (1 + legal.size()) * sizeof(std::uint32_t);
}

BackwardInduction::Outcome BackwardInduction::solve(gdl::StateView root, const Filter& filter) {
  const bool fits = index_of(root) != kNone;
  Outcome outcome = fits ? explore(filter) : Outcome::OverBudget;
  if (needs_all_ && outcome != Outcome::Complete) return outcome;
  if (!link_predecessors()) return Outcome::Stopped;
  if (choices_ == Choices::Mixed) rows_.resize(size());
  const bool averages = machine_->random_role() || choices_ == Choices::Mixed;
  cycles_ = (averages || needs_all_) && has_cycle();
  const bool limits = averages && cycles_;
  if (!propagate(limits) && outcome == Outcome::Complete) outcome = Outcome::Stopped;
  exact_ = outcome == Outcome::Complete && !limits && solved_;
  return outcome;
}

BackwardInduction::Index BackwardInduction::index_of(gdl::StateView state) {
  const gdl::StateHash key = gdl::hash(state);
  if (const std::uint32_t* known = indices_.find(key)) return *known;
  const auto index = static_cast<Index>(states_.size());
  // State, value, best move, and what links it to its successors and predecessors.
  std::size_t bytes = state.words().size() * sizeof(std::uint64_t) + 48;
  if (choices_ == Choices::Mixed) bytes += sizeof(std::vector<double>);
  if (index == most_states_ || !grow(bytes) || !indices_.insert(key, index)) return kNone;
  states_.push_back(state);
  first_edge_.push_back(kEnd);
  values_.push_back(kNeverEnds);
  best_.push_back(0);
  return index;
}

BackwardInduction::Outcome BackwardInduction::explore(const Filter& filter) {
  begin_ = std::chrono::steady_clock::now();
  Status status = look_at_root();
  while (status == Status::Ok && looked_into_ < states_.size()) {
    if (deadline_.stop_requested() || gives_up()) return Outcome::Stopped;
    status = expand(filter);
  }
  if (status == Status::Stopped) return Outcome::Stopped;
  return status == Status::Ok ? Outcome::Complete : Outcome::OverBudget;
}

Status BackwardInduction::look_at_root() {
  bool terminal = false;
  Status status = machine_->terminal(*context_, states_[0], terminal);
  std::vector<gdl::MoveId> legal;
  for (gdl::RoleIndex role = 0; role < legal_.size() && status == Status::Ok; ++role) {
    if (!terminal) status = machine_->legal(*context_, states_[0], role, legal);
    if (status == Status::Ok && !add_ahead(legal)) status = Status::OverBudget;
  }
  return status == Status::Ok && terminal ? end(0, states_[0]) : status;
}

Status BackwardInduction::end(Index i, gdl::StateView state) {
  std::vector<int> goals(legal_.size());
  const Status status = machine_->goals(*context_, state, goals);
  if (status == Status::Ok) values_[i] = goals[role_];
  return status;
}

/// Expands as many states as the machine prefers.
Status BackwardInduction::expand(const Filter& filter) {
  edge_counts_.clear();
  joint_moves_.clear();
  from_.clear();
  part_begin_ = part_end_ = 0;
  for (Index i = looked_into_; i < states_.size() && from_.size() < enough(); ++i) {
    const auto counts = add_pairs(i, filter);
    if (!counts) return Status::OverBudget;
    edge_counts_.push_back(*counts);
  }
  Status status = Status::Ok;
  std::size_t pair = 0;
  for (std::size_t k = 0; k < edge_counts_.size() && status == Status::Ok; ++k) {
    if (edge_counts_[k].moves > 0) status = add_successors(looked_into_, edge_counts_[k], pair);
    if (status == Status::Ok) look_at_next();
  }
  return status;
}

std::size_t BackwardInduction::enough() const {
  return std::max(kFewest, machine_->preferred_batch());
}

/// Expands the next pairs of the pass in one call: usually all. A state may have very many, and the
/// legal moves after all of them would take much memory at once.
Status BackwardInduction::expand_part() {
  part_begin_ = part_end_;
  part_end_ = std::min(from_.size(), part_begin_ + 2 * enough());
  pairs_.clear();
  for (std::size_t pair = part_begin_; pair < part_end_; ++pair) {
    const gdl::JointMove move =
        std::span(joint_moves_).subspan(pair * legal_.size(), legal_.size());
    pairs_.push_back({states_[from_[pair]], move});
  }
  return machine_->expand(*context_, pairs_, expansion_);
}

/// States are looked into in the order in which they were found, so layer by layer.
void BackwardInduction::look_at_next() {
  if (++looked_into_ < layer_end_) return;
  const std::size_t width = layer_end_ - layer_begin_;
  layer_begin_ = layer_end_;
  layer_end_ = states_.size();
  narrows_ = layer_end_ - layer_begin_ < width;
}

bool BackwardInduction::gives_up() const {
  if (narrows_ || patience_.trial == TimePoint::max()) return false;
  const auto now = std::chrono::steady_clock::now();
  if (now < patience_.trial) return false;
  if (patience_.states == 0) return true;
  const std::chrono::duration<double> taken = now - begin_;
  const double all = patience_.states / std::max<Index>(1, looked_into_);
  return taken * all > deadline_.at() - begin_;
}

/// The state's joint moves, in the order of its edges; no moves if it is the end, or if a role has
/// no legal move. nullopt: there are too many, or memory is used up.
std::optional<BackwardInduction::EdgeCounts> BackwardInduction::add_pairs(Index i,
                                                                          const Filter& filter) {
  const auto chance = machine_->random_role();
  EdgeCounts counts{1, 1, 1};
  std::size_t count = 1;  // their product
  for (auto& legal : legal_) take_ahead(legal);
  const auto empty = [](const auto& legal) { return legal.empty(); };
  if (std::ranges::any_of(legal_, empty)) return EdgeCounts{0, 0, 0};
  const gdl::MoveId only = filter ? filter(states_[i]) : gdl::kNoMove;
  if (only != gdl::kNoMove) legal_[role_].assign(1, only);
  for (gdl::RoleIndex role = 0; role < legal_.size(); ++role) {
    const auto moves = static_cast<std::uint32_t>(legal_[role].size());
    count *= moves;
    if (count > kMostJointMoves) return std::nullopt;
    (role == role_ ? counts.moves : role == chance ? counts.outcomes : counts.replies) *= moves;
  }
  if (!list(from_.size() + count)) return std::nullopt;
  const std::size_t rows = choices_ == Choices::Mixed ? counts.moves * sizeof(double) : 0;
  if (!grow((3 + counts.moves + 2 * count) * sizeof(std::uint32_t) + rows)) return std::nullopt;
  for (std::size_t choice = 0; choice < count; ++choice) {
    const std::size_t first = joint_moves_.size();
    joint_moves_.resize(first + legal_.size());
    std::size_t rest = choice;
    const auto take = [&](gdl::RoleIndex role) {
      joint_moves_[first + role] = legal_[role][rest % legal_[role].size()];
      rest /= legal_[role].size();
    };
    if (chance && *chance != role_) take(*chance);
    for (gdl::RoleIndex role = 0; role < legal_.size(); ++role) {
      if (role != role_ && role != chance) take(role);
    }
    take(role_);
    from_.push_back(i);
  }
  return counts;
}

/// Adds the successors of a state that is not the end; `pair` is its first pair.
Status BackwardInduction::add_successors(Index i, const EdgeCounts& counts, std::size_t& pair) {
  const std::size_t each = std::size_t{counts.replies} * counts.outcomes;
  const std::size_t begin = edges_.size();
  edges_.insert(edges_.end(), {counts.moves, counts.replies, counts.outcomes});
  for (std::size_t move = 0; move < counts.moves; ++move) {
    edges_.push_back(joint_moves_[(pair + move * each) * legal_.size() + role_]);
  }
  Status status = Status::Ok;
  for (std::size_t k = 0; k < counts.moves * each && status == Status::Ok; ++k, ++pair) {
    if (pair == part_end_) status = expand_part();
    Index successor = kNone;
    if (status == Status::Ok) status = arrive(pair - part_begin_, successor);
    edges_.push_back(successor);
  }
  if (status == Status::Ok) {
    first_edge_[i] = begin;
  } else {
    edges_.resize(begin);  // an incomplete list of successors is useless
  }
  return status;
}

/// Finds the state after a pair of the part, and stores the machine's results if it is new.
Status BackwardInduction::arrive(std::size_t pair, Index& index) {
  const std::size_t roles = legal_.size(), before = states_.size();
  index = index_of(expansion_.states[pair]);
  if (index == kNone) return Status::OverBudget;
  if (index < before) return Status::Ok;
  bool stuck = false;
  for (gdl::RoleIndex role = 0; role < roles; ++role) {
    const auto legal = expansion_.legal(pair, role, roles);
    if (!add_ahead(legal)) return Status::OverBudget;
    stuck |= legal.empty();
  }
  if (expansion_.terminal[pair] != 0) {
    values_[index] = expansion_.goals[pair * roles + role_];
  } else if (stuck) {
    return end(index, expansion_.states[pair]);  // a role has no legal move
  }
  return Status::Ok;
}

BackwardInduction::EdgeCounts BackwardInduction::edge_counts(Index i) const {
  const std::uint32_t* head = &edges_[first_edge_[i]];
  return {head[0], head[1], head[2]};
}

/// False if it was stopped and all is needed.
bool BackwardInduction::link_predecessors() {
  const auto for_each_edge = [&](auto&& visit) {
    for (Index i = 0; i < size(); ++i) {
      if (needs_all_ && i % kStatesBetween == 0 && deadline_.stop_requested()) return false;
      if (is_end(i)) continue;
      const EdgeCounts f = edge_counts(i);
      const std::uint32_t* successor = &edges_[first_edge_[i] + 3 + f.moves];
      const std::size_t count = std::size_t{f.moves} * f.replies * f.outcomes;
      for (std::size_t k = 0; k < count; ++k) visit(i, successor[k]);
    }
    return true;
  };
  first_predecessor_.assign(size() + 1, 0);
  if (!for_each_edge([&](Index, Index to) { ++first_predecessor_[to + 1]; })) return false;
  for (std::size_t i = 0; i < size(); ++i) first_predecessor_[i + 1] += first_predecessor_[i];
  predecessors_.resize(first_predecessor_.back());
  std::vector<std::uint64_t> at(first_predecessor_.begin(), first_predecessor_.end() - 1);
  return for_each_edge([&](Index from, Index to) { predecessors_[at[to]++] = from; });
}

/// Over the moves of chance.
double BackwardInduction::mean(std::span<const Index> successors) const {
  double sum = 0;
  for (const Index i : successors) sum += values_[i];
  return sum / static_cast<double>(successors.size());
}

double BackwardInduction::worth(const EdgeCounts& counts, const Index* successor) const {
  double least = 100;
  for (std::uint32_t reply = 0; reply < counts.replies; ++reply) {
    least = std::min(least, mean({successor, counts.outcomes}));
    successor += counts.outcomes;
  }
  return least;
}

/// Whether the value of a state rises with the current values of its successors.
bool BackwardInduction::raise(Index i) {
  const EdgeCounts f = edge_counts(i);
  if (choices_ == Choices::Mixed && f.moves > 1 && f.replies > 1) return raise_by_mixture(i, f);
  const Index* successor = &edges_[first_edge_[i] + 3 + f.moves];
  bool rises = false;
  for (std::uint32_t move = 0; move < f.moves; ++move) {
    const double value = worth(f, successor);
    successor += std::size_t{f.replies} * f.outcomes;
    if (value <= values_[i] + kRise) continue;
    values_[i] = value;
    best_[i] = move;
    rises = true;
  }
  return rises;
}

/// Keeps the mixture that last raised the value. In a later one that guarantees as much, moves that
/// lead back here could replace those that lead on. Where nothing is guaranteed, the last one is as
/// good as any.
bool BackwardInduction::raise_by_mixture(Index i, const EdgeCounts& counts) {
  MatrixSolution solution = solve_matrix_game(matrix(i, counts), counts.replies, &deadline_);
  solved_ = solved_ && solution.best;
  const bool rises = solution.value > values_[i] + kRise;
  if (rises || values_[i] == kNeverEnds) rows_[i] = std::move(solution.rows);
  if (rises) values_[i] = solution.value;
  return rises;
}

/// What each move brings against each reply: [move * replies + reply].
std::vector<double> BackwardInduction::matrix(Index i, const EdgeCounts& counts) const {
  const Index* successor = &edges_[first_edge_[i] + 3 + counts.moves];
  std::vector<double> payoffs(std::size_t{counts.moves} * counts.replies);
  for (double& payoff : payoffs) {
    payoff = mean({successor, counts.outcomes});
    successor += counts.outcomes;
  }
  return payoffs;
}

BackwardInduction::Mixture BackwardInduction::mixture(Index i) const {
  if (is_end(i)) return {};
  const EdgeCounts counts = edge_counts(i);
  const auto first = edges_.begin() + static_cast<std::ptrdiff_t>(first_edge_[i]) + 3;
  Mixture mixture{{first, first + counts.moves}, rows_[i]};
  if (mixture.chances.empty()) {  // one move is as good as any mixture
    mixture.chances.assign(counts.moves, 0);
    mixture.chances[choice(i)] = 1;
  }
  return mixture;
}

std::optional<BackwardInduction::Index> BackwardInduction::find(gdl::StateView state) const {
  if (const std::uint32_t* known = indices_.find(gdl::hash(state))) return *known;
  return std::nullopt;
}

/// False if it was stopped: what was found has its values even after the deadline, unless these are
/// mixtures, which take long, or limits, which are approached in many small steps.
bool BackwardInduction::propagate(bool limits) {
  const bool may_stop = limits || choices_ == Choices::Mixed || needs_all_;
  std::vector<std::uint8_t> waits(size(), 0);
  std::deque<Index> queue;
  // States found last are closest to the ends: in this order most values are right immediately.
  for (Index i = static_cast<Index>(size()); i-- > 0;) {
    if (is_end(i)) continue;
    waits[i] = 1;
    queue.push_back(i);
  }
  std::size_t work = 0;  // since the last reading of the clock
  while (!queue.empty()) {
    const Index i = queue.front();
    const EdgeCounts f = edge_counts(i);
    work += kState + std::size_t{f.moves} * f.replies * f.outcomes;
    if (may_stop && work >= kEdgesBetween) {
      work = 0;
      if (deadline_.stop_requested()) return false;
    }
    queue.pop_front();
    waits[i] = 0;
    if (!raise(i)) continue;
    for (std::uint64_t k = first_predecessor_[i]; k < first_predecessor_[i + 1]; ++k) {
      const Index from = predecessors_[k];
      if (waits[from] != 0) continue;
      waits[from] = 1;
      queue.push_back(from);
    }
  }
  // The last mixture may have been cut short.
  return choices_ == Choices::Seen || !deadline_.stop_requested();
}

/// Also true if it was stopped and all is needed.
bool BackwardInduction::has_cycle() const {
  // Removes states without successors, then those that become so, and so on.
  std::vector<std::uint64_t> left(size());
  std::vector<Index> free;
  for (Index i = 0; i < size(); ++i) {
    const EdgeCounts f = is_end(i) ? EdgeCounts{0, 0, 0} : edge_counts(i);
    left[i] = std::uint64_t{f.moves} * f.replies * f.outcomes;
    if (left[i] == 0) free.push_back(i);
  }
  std::size_t taken = 0;
  while (!free.empty()) {
    const Index i = free.back();
    free.pop_back();
    if (needs_all_ && taken % kStatesBetween == 0 && deadline_.stop_requested()) return true;
    ++taken;
    for (std::uint64_t k = first_predecessor_[i]; k < first_predecessor_[i + 1]; ++k) {
      if (--left[predecessors_[k]] == 0) free.push_back(predecessors_[k]);
    }
  }
  return taken < size();
}

/// Whether a move with these successors surely ends the game.
bool BackwardInduction::move_ends(const EdgeCounts& counts, const Index* successors) const {
  const std::size_t count = std::size_t{counts.replies} * counts.outcomes;
  return std::all_of(successors, successors + count, [this](Index next) { return is_end(next); });
}

/// The number of the best move of a state that is not the end.
std::uint32_t BackwardInduction::choice(Index i) const {
  const EdgeCounts f = edge_counts(i);
  const std::size_t each = std::size_t{f.replies} * f.outcomes;
  const Index* successor = &edges_[first_edge_[i] + 3 + f.moves];
  for (std::uint32_t move = 0; move < f.moves; ++move, successor += each) {
    if (move_ends(f, successor) && worth(f, successor) >= values_[i] - kRise) return move;
  }
  return best_[i];
}

std::vector<gdl::MoveId> BackwardInduction::best_moves(Index i) const {
  std::vector<gdl::MoveId> ending, all;
  if (is_end(i)) return all;
  const EdgeCounts f = edge_counts(i);
  const std::size_t each = std::size_t{f.replies} * f.outcomes;
  const std::uint32_t* move = &edges_[first_edge_[i] + 3];
  const Index* successor = move + f.moves;
  for (std::uint32_t k = 0; k < f.moves; ++k, ++move, successor += each) {
    if (worth(f, successor) < values_[i] - kRise) continue;
    all.push_back(*move);
    if (move_ends(f, successor)) ending.push_back(*move);
  }
  if (!ending.empty()) return ending;
  // Other moves with the same value may lead back to this state.
  return cycles_ ? std::vector{best_move(i)} : all;
}

gdl::MoveId BackwardInduction::best_move(Index i) const {
  return is_end(i) ? gdl::kNoMove : edges_[first_edge_[i] + 3 + choice(i)];
}

std::vector<RootMove> BackwardInduction::values_of_moves(Index i) const {
  std::vector<RootMove> moves;
  if (is_end(i)) return moves;
  const EdgeCounts f = edge_counts(i);
  const std::size_t each = std::size_t{f.replies} * f.outcomes;
  const std::uint32_t* move = &edges_[first_edge_[i] + 3];
  for (std::uint32_t k = 0; k < f.moves; ++k) {
    const double value = worth(f, move + f.moves + k * each);
    moves.push_back({move[k], value, 0, value, exact_ ? value : 100});
  }
  return moves;
}

void BackwardInduction::successors(Index i, std::vector<Index>& out) const {
  out.clear();
  if (is_end(i)) return;
  const EdgeCounts f = edge_counts(i);
  const std::size_t each = std::size_t{f.replies} * f.outcomes;
  const Index* first = &edges_[first_edge_[i] + 3 + f.moves + choice(i) * each];
  out.assign(first, first + each);
}

}  // namespace ludens::search
