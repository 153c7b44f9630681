// SPDX-License-Identifier: MIT
#include "search/hidden/merged_form.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "search/hidden/merged_builder.h"

namespace ludens::search::hidden {

namespace {

/// The overhead of a vector, including the object itself.
constexpr std::size_t kBytesOfVector = 48;
/// Keys have room for as many own moves.
constexpr std::size_t kMostMoves = std::size_t{1} << 16;
/// Ends come after everything else.
constexpr std::size_t kLast = ~std::uint32_t{0};
/// Edges are numbered with 32 bits.
constexpr std::size_t kMostJointMoves = ~std::uint32_t{0};
/// Edges between two looks at the memory that they take.
constexpr std::size_t kEdgesBetween = std::size_t{1} << 16;

}  // namespace

gdl::Result<ExtensiveForm> MergedBuilder::run(gdl::StateView state) {
  Turn turn = first(state);
  for (depth_ = 0; problem_.empty() && !turn.nodes.empty(); ++depth_) {
    Turn after;
    follow_states(turn, after);
    keep_apart_if_few(turn);
    for (gdl::RoleIndex role = 0; problem_.empty() && role < roles_; ++role) {
      follow_knowledge(role, turn, after);
    }
    follow_nodes(turn, after);
    hold_all();
    turn = std::move(after);
  }
  if (!problem_.empty()) return gdl::Error{problem_};
  put_in_order();
  return std::move(form_);
}

bool MergedBuilder::check(Status status) {
  if (status != Status::Ok) fail(status);
  if (problem_.empty() && deadline_.stop_requested()) fail(Status::Stopped);
  return problem_.empty();
}

/// Counts memory that is needed until the next step is complete.
void MergedBuilder::grow(std::size_t bytes) {
  passing_ += bytes;
  if (passing_ < held_passing_ + kPiece) return;
  held_passing_ = passing_;
  hold_all();
}

/// Counts what is kept permanently, and tables.
void MergedBuilder::hold_all() {
  std::size_t bytes = told_.bytes() + legal_.bytes() + ends_.bytes();
  bytes += gdl::bytes_of(form_.histories_, form_.edges_, form_.edge_links_, form_.goals_, levels_);
  bytes += form_.knowledge_.size() * (sizeof(ExtensiveForm::Knowledge) + 2 * kBytesOfVector);
  bytes += form_.sets_.size() * (sizeof(ExtensiveForm::InformationSet) + kBytesOfVector);
  bytes += form_.told_.size() * kBytesOfVector;
  for (const auto& links : form_.links_) bytes += gdl::bytes_of(links);
  hold(bytes + passing_);
}

MergedBuilder::Turn MergedBuilder::first(gdl::StateView state) {
  Turn turn;
  turn.known.resize(roles_);
  bool ends = false;
  const std::uint32_t place = place_of(state, turn, ends);
  if (!problem_.empty()) return turn;
  form_.edges_.push_back(0);  // so that the form counts as merged even if nothing follows
  form_.edge_links_.resize(roles_, ExtensiveForm::kInside);
  if (ends) {
    history_of_end(place);
    return turn;
  }
  Node node{allocate(0), place, std::vector<std::uint32_t>(roles_, 0)};
  for (auto& known : turn.known) known.push_back({ExtensiveForm::kBeginning, {place}, {1}});
  turn.nodes.push_back(std::move(node));
  return turn;
}

std::size_t MergedBuilder::bytes_of(const Place& place) {
  return sizeof(Place) + kBytesOfVector + 8 * gdl::StateView(place.state).words().size() +
         gdl::bytes_of_rows(place.legal) + gdl::bytes_of(place.fluents) + 3 * kBytesOfVector;
}

/// The number of a state in its step, or of its end.
std::uint32_t MergedBuilder::place_of(gdl::StateView state, Turn& turn, bool& ends) {
  const auto words = state.words();
  const auto [number, is_new] = states_.of(Words(words.begin(), words.end()));
  if (is_new) {
    bool over = false;
    Place place;
    place.state.assign(state);
    place.legal.resize(roles_);
    if (!check(machine_.terminal(*context_, state, over))) return 0;
    for (gdl::RoleIndex role = 0; !over && role < roles_; ++role) {
      if (!check(machine_.legal(*context_, state, role, place.legal[role]))) return 0;
      over = place.legal[role].empty();  // the game can't continue
      if (place.legal[role].size() > kMostMoves) fail(Status::OverBudget);
      place.legal_number.push_back(
          field_of(legal_, Words(place.legal[role].begin(), place.legal[role].end())).first);
      if (!problem_.empty()) return 0;
    }
    if (!over && !weighed() && !check(read_fluents(state, place.fluents))) return 0;
    entries_.push_back(over ? std::pair(end_of(state), true)
                            : std::pair(static_cast<std::uint32_t>(turn.places.size()), false));
    if (!over) grow(bytes_of(place));
    if (!over) turn.places.push_back(std::move(place));
  }
  ends = entries_[number].second;
  return entries_[number].first;
}

gdl::Status MergedBuilder::read_fluents(gdl::StateView state, Words& out) {
  const Status status = machine_.fluents(*context_, state, fluents_);
  for (const gdl::FluentId fluent : fluents_) {
    if (fluent / 64 >= out.size()) out.resize(fluent / 64 + 1);
    out[fluent / 64] |= std::uint64_t{1} << (fluent % 64);
  }
  return status;
}

/// The row of goals; ends with the same goals share one.
std::uint32_t MergedBuilder::end_of(gdl::StateView state) {
  std::vector<int> goals(roles_);
  if (!check(machine_.goals(*context_, state, goals))) return 0;
  const auto [row, is_new] = ends_.of(Words(goals.begin(), goals.end()));
  if (is_new) {
    for (const int goal : goals) form_.goals_.push_back(static_cast<std::uint8_t>(goal));
  }
  return row;
}

// --- States --------------------------------------------------------------------------------------

void MergedBuilder::follow_states(Turn& turn, Turn& after) {
  states_ = Numbers();
  entries_.clear();
  after.known.resize(roles_);
  before_ = passing_ - before_;
  passing_ = held_passing_ = before_;
  for (Place& place : turn.places) {
    std::size_t joint_moves = 1;
    for (const auto& moves : place.legal) {
      joint_moves *= moves.size();
      if (joint_moves > kMostJointMoves) return fail(Status::OverBudget);
    }
    grow(joint_moves * (sizeof(Outcome) + roles_ * sizeof(std::uint32_t)));
    for (std::size_t i = 0; i < joint_moves; ++i) {
      if (!problem_.empty()) return;
      follow(place, i, after);
    }
  }
}

void MergedBuilder::follow(Place& place, std::size_t number, Turn& after) {
  joint_.resize(roles_);
  for (gdl::RoleIndex role = roles_; role-- > 0;) {
    joint_[role] = place.legal[role][number % place.legal[role].size()];
    number /= place.legal[role].size();
  }
  if (!check(machine_.next(*context_, place.state, joint_, next_))) return;
  Outcome outcome{};
  outcome.next = place_of(next_, after, outcome.ends);
  place.outcomes.push_back(outcome);
  for (gdl::RoleIndex role = 0; role < roles_; ++role) {
    if (outcome.ends) {
      place.told.push_back(0);
      continue;
    }
    if (!check(machine_.percepts(*context_, place.state, joint_, role, percepts_))) return;
    place.told.push_back(told_of(form_.all_is_seen_ ? std::span<const std::uint32_t>(joint_)
                                                    : std::span<const std::uint32_t>(percepts_)));
  }
}

/// A number that has to fit into a field of a key.
std::pair<std::uint32_t, bool> MergedBuilder::field_of(Numbers& numbers, Words words) {
  const auto numbered = numbers.of(std::move(words));
  if (numbered.first > kFieldMask) fail(Status::OverBudget);
  return numbered;
}

std::uint32_t MergedBuilder::told_of(std::span<const std::uint32_t> told) {
  const auto [number, is_new] = field_of(told_, Words(told.begin(), told.end()));
  if (is_new) form_.told_.emplace_back(told.begin(), told.end());
  return number;
}

// --- Histories -----------------------------------------------------------------------------------

void MergedBuilder::follow_nodes(Turn& turn, Turn& after) {
  Numbers merged;
  for (const Node& node : turn.nodes) {
    if (!check(Status::Ok)) return;
    choose(turn, node, merged, after);
    if (form_.edges_.size() > held_edges_ + kEdgesBetween) {
      hold_all();
      held_edges_ = form_.edges_.size();
    }
    if (merged.bytes() > held_merged_ + kPiece) {
      grow(merged.bytes() - held_merged_);
      held_merged_ = merged.bytes();
    }
  }
  held_merged_ = 0;
}

HistoryId MergedBuilder::allocate(std::size_t level) {
  form_.histories_.emplace_back();
  levels_.push_back(static_cast<std::uint32_t>(level));
  return static_cast<HistoryId>(form_.histories_.size() - 1);
}

/// Gives a history this many children, which are still unknown. Their edges are added to `edges`.
void MergedBuilder::open(HistoryId id, History::Kind kind, std::size_t children,
                         std::uint32_t which, std::vector<std::uint32_t>& edges) {
  const auto first = static_cast<std::uint32_t>(form_.edges_.size());
  form_.histories_[id] = {kind, static_cast<std::uint32_t>(children), first, which};
  form_.edges_.resize(first + children);
  form_.edge_links_.resize((first + children) * roles_, ExtensiveForm::kInside);
  for (std::size_t i = 0; i < children; ++i) {
    edges.push_back(first + static_cast<std::uint32_t>(i));
  }
}

/// Adds the choices of a step, role by role; without any, chance has one child.
void MergedBuilder::choose(const Turn& turn, const Node& node, Numbers& merged, Turn& after) {
  const Place& place = turn.places[node.place];
  std::vector<HistoryId> stage{node.id};
  std::vector<std::uint32_t> edges;
  for (gdl::RoleIndex role = 0; role < roles_; ++role) {
    const std::size_t moves = place.legal[role].size();
    if (moves == 1) continue;
    for (const std::uint32_t edge : edges) {
      form_.edges_[edge] = allocate(depth_ * (roles_ + 1) + role);
      stage.push_back(form_.edges_[edge]);
    }
    edges.clear();
    const auto set = turn.known[role][node.known[role]].set;
    for (const HistoryId id : stage) {
      open(id, set ? History::Kind::Decision : History::Kind::Chance, moves, set.value_or(0),
           edges);
    }
    stage.clear();
  }
  if (edges.empty()) open(node.id, History::Kind::Chance, 1, 0, edges);
  for (std::size_t o = 0; o < edges.size(); ++o) {
    lead(turn, node, o, edges[o], merged, after);
  }
}

/// Sets where an outcome of a step leads.
void MergedBuilder::lead(const Turn& turn, const Node& node, std::size_t o, std::uint32_t edge,
                         Numbers& merged, Turn& after) {
  const Place& place = turn.places[node.place];
  const Outcome& outcome = place.outcomes[o];
  if (outcome.ends) {
    form_.edges_[edge] = history_of_end(outcome.next);
    return;
  }
  Node next{0, outcome.next, {}};
  Words words{outcome.next};
  for (gdl::RoleIndex role = 0; role < roles_; ++role) {
    const Known& known = turn.known[role][node.known[role]];
    const auto at =
        std::ranges::lower_bound(known.keys, key_of(place, o, role, after)) - known.keys.begin();
    form_.edge_links_[edge * roles_ + role] = known.first_link + static_cast<std::uint32_t>(at);
    next.known.push_back(known.after[static_cast<std::size_t>(at)]);
    words.push_back(next.known.back());
  }
  const auto [number, is_new] = merged.of(std::move(words));
  if (is_new) {
    next.id = allocate((depth_ + 1) * (roles_ + 1));
    grow(sizeof(Node) + roles_ * sizeof(std::uint32_t));
    after.nodes.push_back(std::move(next));
  }
  form_.edges_[edge] = after.nodes[number].id;
}

HistoryId MergedBuilder::history_of_end(std::uint32_t row) {
  if (row >= end_histories_.size()) end_histories_.resize(row + 1);
  if (!end_histories_[row]) {
    end_histories_[row] = allocate(kLast);
    form_.histories_[*end_histories_[row]] = {History::Kind::End, 0, 0, row};
  }
  return *end_histories_[row];
}

/// Orders children after their parents.
void MergedBuilder::put_in_order() {
  std::vector<HistoryId> order(levels_.size()), place(levels_.size());
  std::iota(order.begin(), order.end(), HistoryId{0});
  std::ranges::stable_sort(order, {}, [&](HistoryId id) { return levels_[id]; });
  std::vector<History> sorted;
  sorted.reserve(order.size());
  for (const HistoryId id : order) {
    place[id] = static_cast<HistoryId>(sorted.size());
    sorted.push_back(form_.histories_[id]);
  }
  form_.histories_ = std::move(sorted);
  for (HistoryId& child : form_.edges_) child = place[child];
}

gdl::Result<ExtensiveForm> build_merged(const gdl::Machine& machine, gdl::StateView state,
                                        const Deadline& deadline, gdl::MemoryBudget* memory,
                                        std::size_t most_apart) {
  return MergedBuilder(machine, deadline, memory, most_apart).run(state);
}

double histories_of_tree(const ExtensiveForm& merged) {
  const auto histories = merged.histories();
  std::vector<double> ways(histories.size(), 0.0);
  ways[0] = 1;
  double sum = 0;
  for (HistoryId h = 0; h < histories.size(); ++h) {
    const ExtensiveForm::History& history = histories[h];
    // Steps without a choice are skipped in a tree.
    if (history.kind != ExtensiveForm::History::Kind::Chance || history.children > 1)
      sum += ways[h];
    for (std::uint32_t i = 0; i < history.children; ++i) ways[merged.child(history, i)] += ways[h];
  }
  return sum;
}

}  // namespace ludens::search::hidden
