// SPDX-License-Identifier: MIT
#include "search/solve/proof_search.h"

#include <algorithm>

namespace ludens::search {

namespace {

using gdl::Status;

constexpr std::size_t kTableBytes = std::size_t{1} << 31;  // if memory has no limit
constexpr std::size_t kMostChildren = 1 << 20;
constexpr std::size_t kPathSlots = 4096;

std::size_t path_slot(const gdl::StateHash& key) {
  return key.high % kPathSlots;
}

std::uint32_t add(std::uint32_t a, std::uint32_t b, std::uint32_t infinite) {
  return a >= infinite || b >= infinite ? infinite : std::min(a + b, infinite - 1);
}

/// The hash of a path extended by a state.
gdl::StateHash mix(const gdl::StateHash& path, const gdl::StateHash& key) {
  const std::uint64_t words[] = {path.low, path.high, key.low, key.high};
  return gdl::hash(gdl::StateView(words));
}

}  // namespace

ProofSearch::ProofSearch(std::shared_ptr<const gdl::Machine> machine, gdl::RoleIndex role,
                         const Deadline& deadline, gdl::MemoryBudget* memory)
    : machine_(std::move(machine)),
      role_(role),
      context_(machine_->make_context({.stop = &deadline, .memory = memory})),
      table_(memory == nullptr ? kTableBytes : memory->limit() - memory->limit() / 8, memory),
      on_path_(kPathSlots, 0),
      legal_(machine_->role_count()) {}

Solution ProofSearch::solve(const Position& position) {
  Solution solution;
  const std::uint64_t before = visited_;
  best_ = gdl::kNoMove;
  while (solution.low < solution.high) {
    const int threshold = next_threshold(solution.low, solution.high);
    const Answer answer = ask(position, threshold);
    if (answer == Answer::Unknown) break;
    // Values are goals at ends, or 0 for a play that never ends.
    const auto at = goals_.lower_bound(threshold);
    if (answer == Answer::Yes) {
      solution.low = at == goals_.end() ? threshold : *at;
      solution.move = best_;
    } else {
      solution.high = at == goals_.begin() ? 0 : *std::prev(at);
    }
  }
  if (solution.move == gdl::kNoMove) {  // nothing can be forced: any move will do
    std::vector<gdl::MoveId> moves;
    const Status status = machine_->legal(*context_, position.state, role_, moves);
    if (status == Status::Ok && !moves.empty()) solution.move = moves.front();
  }
  solution.exact = solution.low == solution.high;
  solution.nodes = visited_ - before;
  return solution;
}

int ProofSearch::next_threshold(double low, double high) const {
  std::vector<int> open;
  for (const int goal : goals_) {
    if (goal > low && goal <= high) open.push_back(goal);
  }
  if (!open.empty()) return open[open.size() / 2];
  return static_cast<int>(low + (high - low + 2) / 2);
}

ProofSearch::Answer ProofSearch::ask(const Position& position, int threshold) {
  threshold_ = threshold;
  ++question_;
  open_ = 0;
  std::ranges::fill(on_path_, std::uint16_t{0});
  Status status = push_root(position);
  while (status == Status::Ok) {
    const Frame& frame = top();
    Choice choice = choose(frame);
    // A disproof that depends on this state's own recurrence, or on states below, does not depend
    // on states above.
    if (choice.numbers.rests_on >= open_ - 1) choice.numbers.rests_on = kNoPath;
    const Numbers& now = choice.numbers;
    const bool done =
        now.is_settled() || now.proof >= frame.proof_bound || now.disproof >= frame.disproof_bound;
    if (!done) {
      status = push_child(choice);
    } else if (open_ > 1) {
      pop(choice);
    } else {
      store(frame, now);
      if (now.proof != 0) return now.disproof == 0 ? Answer::No : Answer::Unknown;
      best_ = frame.my_moves[choice.group];
      return Answer::Yes;
    }
  }
  return Answer::Unknown;
}

ProofSearch::Frame& ProofSearch::push() {
  if (frames_.size() == open_) frames_.push_back(std::make_unique<Frame>());
  ++open_;
  top().visited_before = visited_;
  return top();
}

Status ProofSearch::push_root(const Position& position) {
  for (gdl::RoleIndex role = 0; role < legal_.size(); ++role) {
    const Status status = machine_->legal(*context_, position.state, role, legal_[role]);
    if (status != Status::Ok) return status;
    if (legal_[role].empty()) return Status::OverBudget;  // a role has no legal move
  }
  Frame& frame = push();
  frame.key = frame.path = gdl::hash(position.state);
  ++on_path_[path_slot(frame.key)];
  frame.proof_bound = frame.disproof_bound = kInfinite;
  return expand(frame, position.state);
}

Status ProofSearch::push_child(const Choice& choice) {
  const Frame& parent = top();
  const std::size_t at = choice.child;
  const Numbers& child = parent.children[at];
  for (gdl::RoleIndex role = 0; role < legal_.size(); ++role) {
    const auto moves = parent.expansion.legal(at, role, legal_.size());
    legal_[role].assign(moves.begin(), moves.end());
  }
  const Numbers& group = choice.of_group;
  // The thresholds from the other moves and the other replies to this one: a quarter above the
  // second best, so that the search does not alternate between the two.
  const auto above = [](std::uint32_t second) {
    return second >= kInfinite ? kInfinite : std::min(second + second / 4 + 1, kInfinite);
  };
  const std::uint32_t proof_bound = std::min(parent.proof_bound, above(choice.second_proof));
  const std::uint32_t disproof_bound =
      parent.disproof_bound - (choice.numbers.disproof - group.disproof);
  const std::uint32_t child_proof = proof_bound - (group.proof - child.proof);
  const std::uint32_t child_disproof = std::min(disproof_bound, above(choice.second_disproof));
  top().at = at;
  Frame& frame = push();  // parent stays where it is
  const Frame& from = *frames_[open_ - 2];
  frame.key = from.keys[at];
  frame.path = mix(from.path, frame.key);
  ++on_path_[path_slot(frame.key)];
  frame.proof_bound = child_proof;
  frame.disproof_bound = child_disproof;
  return expand(frame, from.expansion.states[at]);
}

Status ProofSearch::expand(Frame& frame, gdl::StateView state) {
  frame.my_moves = legal_[role_];
  frame.moves = frame.my_moves.size();
  frame.replies = 1;
  for (gdl::RoleIndex role = 0; role < legal_.size(); ++role) {
    if (role != role_) frame.replies *= legal_[role].size();
    if (frame.moves * frame.replies > kMostChildren) return Status::OverBudget;
  }
  const std::size_t count = frame.moves * frame.replies;
  const std::size_t roles = legal_.size();
  joints_.resize(count * roles);
  pairs_.clear();
  for (std::size_t child = 0; child < count; ++child) {
    gdl::MoveId* const joint = &joints_[child * roles];
    joint[role_] = frame.my_moves[child / frame.replies];
    std::size_t rest = child % frame.replies;
    for (gdl::RoleIndex role = 0; role < roles; ++role) {
      if (role == role_) continue;
      joint[role] = legal_[role][rest % legal_[role].size()];
      rest /= legal_[role].size();
    }
    pairs_.push_back({state, gdl::JointMove(joint, roles)});
  }
  Status status = machine_->expand(*context_, pairs_, frame.expansion);
  if (status == Status::Ok) status = end_where_nothing_follows(frame.expansion);
  if (status == Status::Ok) assess(frame);
  return status;
}

Status ProofSearch::end_where_nothing_follows(gdl::Expansion& expansion) {
  const std::size_t roles = legal_.size();
  std::vector<int> goals(roles);
  for (std::size_t i = 0; i < expansion.terminal.size(); ++i) {
    if (expansion.terminal[i] != 0) continue;
    bool ends = false;
    for (gdl::RoleIndex role = 0; role < roles; ++role) {
      ends = ends || expansion.legal(i, role, roles).empty();
    }
    if (!ends) continue;
    const Status status = machine_->goals(*context_, expansion.states[i], goals);
    if (status != Status::Ok) return status;
    expansion.terminal[i] = 1;
    for (gdl::RoleIndex role = 0; role < roles; ++role) {
      expansion.goals[i * roles + role] = static_cast<std::uint8_t>(goals[role]);
    }
  }
  return Status::Ok;
}

void ProofSearch::assess(Frame& frame) {
  const std::size_t count = frame.moves * frame.replies;
  visited_ += count;
  frame.keys.resize(count);
  frame.children.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    frame.keys[i] = gdl::hash(frame.expansion.states[i]);
    table_.prefetch(frame.keys[i]);
  }
  for (std::size_t i = 0; i < count; ++i) {
    frame.children[i] = first_numbers(frame, i);
    if (frame.expansion.terminal[i] != 0) {
      goals_.insert(frame.expansion.goals[i * legal_.size() + role_]);
    } else if (!frame.children[i].is_settled()) {
      frame.children[i] = known_numbers(frame, i);
    }
  }
}

ProofSearch::Numbers ProofSearch::first_numbers(const Frame& frame, std::size_t child) const {
  const std::size_t roles = legal_.size();
  if (frame.expansion.terminal[child] != 0) {
    const int goal = frame.expansion.goals[child * roles + role_];
    return goal >= threshold_ ? Numbers{0, kInfinite, kNoPath} : Numbers{kInfinite, 0, kNoPath};
  }
  std::uint32_t moves = 1, replies = 1;
  for (gdl::RoleIndex role = 0; role < roles; ++role) {
    const auto count = static_cast<std::uint32_t>(frame.expansion.legal(child, role, roles).size());
    (role == role_ ? moves : replies) *= std::min(count, std::uint32_t{1000});
    replies = std::min(replies, std::uint32_t{100'000});
  }
  return {replies, moves, kNoPath};
}

ProofSearch::Numbers ProofSearch::known_numbers(const Frame& frame, std::size_t child) {
  const gdl::StateHash& key = frame.keys[child];
  const Numbers first = frame.children[child];
  if (on_path_[path_slot(key)] > 0) {
    const std::size_t depth = depth_on_path(key);
    if (depth != kNoPath) {
      recurs_ = true;
      return {kInfinite, 0, depth};
    }
  }
  const ProofTable::Entry* entry = table_.find(key);
  if (entry != nullptr && entry->low >= threshold_) return {0, kInfinite, kNoPath};
  if (entry != nullptr && entry->high < threshold_) return {kInfinite, 0, kNoPath};
  if (recurs_) {
    const ProofTable::Entry* here = table_.find(mix(frame.path, key));
    if (here != nullptr && here->high < threshold_) return {kInfinite, 0, here->proof};
  }
  // Numbers of questions recur. Those that settle this one are in the bounds above.
  const bool settled = entry != nullptr && (entry->proof == 0 || entry->disproof == 0);
  if (entry == nullptr || settled || entry->question != question_) return first;
  return {entry->proof, entry->disproof, kNoPath};
}

std::size_t ProofSearch::depth_on_path(const gdl::StateHash& key) const {
  for (std::size_t depth = open_; depth-- > 0;) {
    if (frames_[depth]->key == key) return depth;
  }
  return kNoPath;
}

/// A move: all replies to it must be proved, or one disproved.
ProofSearch::Numbers ProofSearch::of_group(const Frame& frame, std::size_t group) const {
  Numbers numbers{0, kInfinite, 0};
  bool rests_nowhere = false;
  const Numbers* child = &frame.children[group * frame.replies];
  for (std::size_t i = 0; i < frame.replies; ++i, ++child) {
    numbers.proof = add(numbers.proof, child->proof, kInfinite);
    numbers.disproof = std::min(numbers.disproof, child->disproof);
    if (child->disproof == 0) {  // of several disproofs, the most widely valid one
      rests_nowhere = rests_nowhere || child->rests_on == kNoPath;
      numbers.rests_on = std::max(numbers.rests_on, child->rests_on);
    }
  }
  if (numbers.disproof != 0 || rests_nowhere) numbers.rests_on = kNoPath;
  return numbers;
}

ProofSearch::Choice ProofSearch::choose(const Frame& frame) const {
  Choice choice;
  choice.numbers = {kInfinite, 0, kNoPath};
  choice.of_group = {kInfinite, 0, kNoPath};
  for (std::size_t group = 0; group < frame.moves; ++group) {
    const Numbers numbers = of_group(frame, group);
    choice.numbers.disproof = add(choice.numbers.disproof, numbers.disproof, kInfinite);
    choice.numbers.rests_on = std::min(choice.numbers.rests_on, numbers.rests_on);
    if (numbers.proof < choice.numbers.proof) {
      choice.second_proof = choice.numbers.proof;
      choice.numbers.proof = numbers.proof;
      choice.group = group;
      choice.of_group = numbers;
    } else {
      choice.second_proof = std::min(choice.second_proof, numbers.proof);
    }
  }
  if (choice.numbers.is_settled()) return choice;
  std::uint32_t least = kInfinite;
  const std::size_t begin = choice.group * frame.replies;
  for (std::size_t i = begin; i < begin + frame.replies; ++i) {
    const Numbers& child = frame.children[i];
    if (child.proof == 0) continue;
    if (child.disproof < least) {
      choice.second_disproof = least;
      least = child.disproof;
      choice.child = i;
    } else {
      choice.second_disproof = std::min(choice.second_disproof, child.disproof);
    }
  }
  return choice;
}

void ProofSearch::pop(const Choice& choice) {
  Numbers numbers = choice.numbers;
  if (numbers.disproof != 0) numbers.rests_on = kNoPath;
  store(top(), numbers);
  --on_path_[path_slot(top().key)];
  --open_;
  top().children[top().at] = numbers;
}

void ProofSearch::store(const Frame& frame, const Numbers& numbers) {
  ProofTable::Entry entry;
  const bool here_only = numbers.disproof == 0 && numbers.rests_on != kNoPath;
  entry.key = here_only ? mix(frames_[open_ - 2]->path, frame.key) : frame.key;
  if (const ProofTable::Entry* old = table_.find(entry.key)) entry = *old;
  const std::uint64_t work = visited_ - frame.visited_before + entry.work;
  entry.work = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(work, 1, 0xffffffff));
  entry.question = question_;
  entry.proof = here_only ? static_cast<std::uint32_t>(numbers.rests_on) : numbers.proof;
  entry.disproof = numbers.disproof;
  if (numbers.proof == 0) {
    entry.low = std::max(entry.low, static_cast<std::uint8_t>(threshold_));
  } else if (numbers.disproof == 0) {
    entry.high = std::min(entry.high, static_cast<std::uint8_t>(threshold_ - 1));
  }
  table_.store(entry);
}

std::unique_ptr<Prover> make_proof_prover(std::shared_ptr<const gdl::Machine> machine,
                                          gdl::RoleIndex role, const Deadline& deadline,
                                          gdl::MemoryBudget* memory) {
  if (machine->role_count() == 1 || machine->random_role()) {
    return make_search_prover(*machine, deadline, memory);
  }
  return std::make_unique<ProofSearch>(std::move(machine), role, deadline, memory);
}

}  // namespace ludens::search
