#include "search/solve/backward.h"

#include <algorithm>
#include <deque>

#include "search/tree/backup.h"

namespace ludens::search {

namespace {

using gdl::Status;

constexpr std::size_t kGrowth = std::size_t{1} << 20;  // memory is reserved in such steps
constexpr double kRise = 1e-12;                        // less is no rise of a value

}  // namespace

BackwardInduction::BackwardInduction(std::shared_ptr<const gdl::Machine> machine,
                                     gdl::RoleIndex role, const Deadline& deadline,
                                     gdl::MemoryBudget* memory)
    : machine_(std::move(machine)),
      role_(role),
      memory_(memory),
      context_(machine_->make_context({.stop = &deadline, .memory = memory})),
      indices_(memory),
      legal_(machine_->role_count()),
      joint_(machine_->role_count()) {}

BackwardInduction::~BackwardInduction() {
  if (memory_ != nullptr) memory_->release(reserved_);
}

bool BackwardInduction::grow(std::size_t bytes) {
  // Vectors double: what they hold may be there twice while they move.
  needed_ += 2 * bytes;
  while (memory_ != nullptr && reserved_ < needed_) {
    if (!memory_->reserve(kGrowth)) return false;
    reserved_ += kGrowth;
  }
  return true;
}

BackwardInduction::Outcome BackwardInduction::solve(gdl::StateView root, const Filter& filter) {
  const bool fits = index_of(root) != kNone;
  const Outcome outcome = fits ? explore(filter) : Outcome::OverBudget;
  link_predecessors();
  propagate();
  exact_ = outcome == Outcome::Complete && !(machine_->random_role() && has_circle());
  return outcome;
}

BackwardInduction::Index BackwardInduction::index_of(gdl::StateView state) {
  const gdl::StateHash key = gdl::hash(state);
  if (const std::uint32_t* known = indices_.find(key)) return *known;
  const auto index = static_cast<Index>(states_.size());
  // State, value, best move, and what links it to its successors and predecessors.
  const std::size_t bytes = state.words().size() * sizeof(std::uint64_t) + 48;
  if (index == kNone - 1 || !grow(bytes) || !indices_.insert(key, index)) return kNone;
  states_.push_back(state);
  first_edge_.push_back(kEnd);
  values_.push_back(kNeverEnds);
  best_.push_back(0);
  return index;
}

BackwardInduction::Outcome BackwardInduction::explore(const Filter& filter) {
  for (Index i = 0; i < states_.size(); ++i) {
    if (context_->limits.stop->stop_requested()) return Outcome::Stopped;
    const Status status = expand(i, filter);
    if (status == Status::Stopped) return Outcome::Stopped;
    if (status == Status::OverBudget) return Outcome::OverBudget;
  }
  return Outcome::Complete;
}

Status BackwardInduction::expand(Index i, const Filter& filter) {
  copy_.assign(states_[i]);  // states_ moves as it grows
  bool terminal = false;
  Status status = machine_->terminal(*context_, copy_, terminal);
  if (status != Status::Ok) return status;
  if (terminal) return end(i);
  status = legal_moves(filter);
  if (status != Status::Ok) return status;
  const auto chance = machine_->random_role();
  Fan fan{1, 1, 1};
  for (gdl::RoleIndex role = 0; role < legal_.size(); ++role) {
    const auto count = static_cast<std::uint32_t>(legal_[role].size());
    if (count == 0) return end(i);  // the rules lead nowhere
    (role == role_ ? fan.moves : role == chance ? fan.outcomes : fan.replies) *= count;
  }
  return add_successors(i, fan);
}

Status BackwardInduction::legal_moves(const Filter& filter) {
  for (gdl::RoleIndex role = 0; role < legal_.size(); ++role) {
    const Status status = machine_->legal(*context_, copy_, role, legal_[role]);
    if (status != Status::Ok) return status;
  }
  const gdl::MoveId only = filter ? filter(copy_) : gdl::kNoMove;
  if (only != gdl::kNoMove) legal_[role_].assign(1, only);
  return Status::Ok;
}

Status BackwardInduction::end(Index i) {
  std::vector<int> goals(legal_.size());
  const Status status = machine_->goals(*context_, copy_, goals);
  if (status == Status::Ok) values_[i] = goals[role_];
  return status;
}

Status BackwardInduction::add_successors(Index i, const Fan& fan) {
  const std::size_t count = std::size_t{fan.moves} * fan.replies * fan.outcomes;
  if (!grow((3 + fan.moves + 2 * count) * sizeof(std::uint32_t))) return Status::OverBudget;
  const std::size_t begin = edges_.size();
  edges_.insert(edges_.end(), {fan.moves, fan.replies, fan.outcomes});
  edges_.insert(edges_.end(), legal_[role_].begin(), legal_[role_].end());
  const auto chance = machine_->random_role();
  Status status = Status::Ok;
  for (std::size_t choice = 0; choice < count && status == Status::Ok; ++choice) {
    std::size_t rest = choice;
    const auto take = [&](gdl::RoleIndex role) {
      joint_[role] = legal_[role][rest % legal_[role].size()];
      rest /= legal_[role].size();
    };
    if (chance && *chance != role_) take(*chance);
    for (gdl::RoleIndex role = 0; role < legal_.size(); ++role) {
      if (role != role_ && role != chance) take(role);
    }
    take(role_);
    status = machine_->next(*context_, copy_, joint_, next_);
    const Index successor = status == Status::Ok ? index_of(next_) : kNone;
    if (status == Status::Ok && successor == kNone) status = Status::OverBudget;
    edges_.push_back(successor);
  }
  if (status == Status::Ok) {
    first_edge_[i] = begin;
  } else {
    edges_.resize(begin);  // half of the successors say nothing
  }
  return status;
}

BackwardInduction::Fan BackwardInduction::fan(Index i) const {
  const std::uint32_t* head = &edges_[first_edge_[i]];
  return {head[0], head[1], head[2]};
}

void BackwardInduction::link_predecessors() {
  const auto for_each_edge = [&](auto&& visit) {
    for (Index i = 0; i < size(); ++i) {
      if (is_end(i)) continue;
      const Fan f = fan(i);
      const std::uint32_t* successor = &edges_[first_edge_[i] + 3 + f.moves];
      const std::size_t count = std::size_t{f.moves} * f.replies * f.outcomes;
      for (std::size_t k = 0; k < count; ++k) visit(i, successor[k]);
    }
  };
  first_predecessor_.assign(size() + 1, 0);
  for_each_edge([&](Index, Index to) { ++first_predecessor_[to + 1]; });
  for (std::size_t i = 0; i < size(); ++i) first_predecessor_[i + 1] += first_predecessor_[i];
  predecessors_.resize(first_predecessor_.back());
  std::vector<std::uint64_t> at(first_predecessor_.begin(), first_predecessor_.end() - 1);
  for_each_edge([&](Index from, Index to) { predecessors_[at[to]++] = from; });
}

double BackwardInduction::worth(const Fan& fan, const Index* successor) const {
  double least = 100;
  for (std::uint32_t reply = 0; reply < fan.replies; ++reply) {
    double sum = 0;
    for (std::uint32_t k = 0; k < fan.outcomes; ++k) sum += values_[*successor++];
    least = std::min(least, sum / fan.outcomes);
  }
  return least;
}

/// Whether the value of a state rises by what its successors are worth now.
bool BackwardInduction::raise(Index i) {
  const Fan f = fan(i);
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

void BackwardInduction::propagate() {
  std::vector<std::uint8_t> waits(size(), 0);
  std::deque<Index> queue;
  // States found last are nearest to the ends: in this order most values are right at once.
  for (Index i = static_cast<Index>(size()); i-- > 0;) {
    if (is_end(i)) continue;
    waits[i] = 1;
    queue.push_back(i);
  }
  while (!queue.empty()) {
    const Index i = queue.front();
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
}

bool BackwardInduction::has_circle() const {
  // States without successors are taken away, then those that are left without, and so on.
  std::vector<std::uint64_t> left(size());
  std::vector<Index> free;
  for (Index i = 0; i < size(); ++i) {
    const Fan f = is_end(i) ? Fan{0, 0, 0} : fan(i);
    left[i] = std::uint64_t{f.moves} * f.replies * f.outcomes;
    if (left[i] == 0) free.push_back(i);
  }
  std::size_t taken = 0;
  while (!free.empty()) {
    const Index i = free.back();
    free.pop_back();
    ++taken;
    for (std::uint64_t k = first_predecessor_[i]; k < first_predecessor_[i + 1]; ++k) {
      if (--left[predecessors_[k]] == 0) free.push_back(predecessors_[k]);
    }
  }
  return taken < size();
}

gdl::MoveId BackwardInduction::best_move(Index i) const {
  return is_end(i) ? gdl::kNoMove : edges_[first_edge_[i] + 3 + best_[i]];
}

std::vector<RootMove> BackwardInduction::root_moves() const {
  std::vector<RootMove> moves;
  if (is_end(0)) return moves;
  const Fan f = fan(0);
  const std::size_t each = std::size_t{f.replies} * f.outcomes;
  const std::uint32_t* move = &edges_[first_edge_[0] + 3];
  for (std::uint32_t k = 0; k < f.moves; ++k) {
    const double value = worth(f, move + f.moves + k * each);
    moves.push_back({move[k], value, 0, value, exact_ ? value : 100});
  }
  return moves;
}

void BackwardInduction::successors(Index i, std::vector<Index>& out) const {
  out.clear();
  if (is_end(i)) return;
  const Fan f = fan(i);
  const std::size_t each = std::size_t{f.replies} * f.outcomes;
  const Index* first = &edges_[first_edge_[i] + 3 + f.moves + best_[i] * each];
  out.assign(first, first + each);
}

}  // namespace ludens::search
