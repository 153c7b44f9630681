// SPDX-License-Identifier: MIT
#include "search/hidden/merged_form.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <optional>
#include <unordered_map>
#include <utility>

#include "gdl/memory/hash.h"

namespace ludens::search::hidden {

namespace {

using gdl::Status;
using History = ExtensiveForm::History;
using Link = ExtensiveForm::Link;

/// Memory is reserved in steps of this size.
constexpr std::size_t kStride = std::size_t{1} << 20;
/// The overhead of a vector, including the object itself.
constexpr std::size_t kBytesOfVector = 48;
/// Probabilities that differ by less are the same.
constexpr double kSteps = 1e12;
/// A key has 24 bits each for the number of what was told and for that of a list of legal moves,
/// and 16 for the number of the own move in its list.
constexpr std::uint64_t kFieldMask = 0xffffff;
constexpr std::size_t kMostMoves = std::size_t{1} << 16;
/// Ends come after everything else.
constexpr std::size_t kLast = ~std::uint32_t{0};
/// Edges are numbered with 32 bits.
constexpr std::size_t kMostJointMoves = ~std::uint32_t{0};
/// Edges between two looks at the memory that they take.
constexpr std::size_t kEdgesBetween = std::size_t{1} << 16;

/// Keys, and the numbers that they are given in order of appearance.
using Words = std::vector<std::uint64_t>;
struct WordsHash {
  std::size_t operator()(const Words& words) const {
    std::uint64_t hash = gdl::kHashStart;
    for (const std::uint64_t word : words) hash = gdl::mix(hash, word);
    return hash;
  }
};
class Numbers {
 public:
  /// The number, and whether it is a new one.
  std::pair<std::uint32_t, bool> of(Words words) {
    const auto next = static_cast<std::uint32_t>(numbers_.size());
    const std::size_t size = words.size();
    const auto [found, is_new] = numbers_.try_emplace(std::move(words), next);
    if (is_new) bytes_ += kBytesEach + size * sizeof(std::uint64_t);
    return {found->second, is_new};
  }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

 private:
  static constexpr std::size_t kBytesEach = 80;  // a node of the table, and its share of it
  std::unordered_map<Words, std::uint32_t, WordsHash> numbers_;
  std::size_t bytes_ = 0;
};

/// The successor of a state by one joint move: the index of the next state, or an end.
struct Outcome {
  std::uint32_t next;
  bool ends;
};

/// A state of a step, with all successors.
struct Place {
  gdl::State state;
  std::vector<std::vector<gdl::MoveId>> legal;  // [role]
  std::vector<std::uint32_t> legal_number;      // [role]: the same moves, the same number
  Words fluents;                                // one bit each, without words of zeros at the end
  std::vector<Outcome> outcomes;                // by the moves of the roles, the last one's fastest
  std::vector<std::uint32_t> told;              // [outcome * roles + role]
};

std::size_t bytes_of_place(const Place& place) {
  return sizeof(Place) + kBytesOfVector + 8 * gdl::StateView(place.state).words().size() +
         gdl::bytes_of_rows(place.legal) + gdl::bytes_of(place.fluents) + 3 * kBytesOfVector;
}

/// What a role may know in a step: the states that it considers possible, ascending, and with one
/// player their probabilities.
struct Known {
  KnowledgeId id;
  std::vector<std::uint32_t> places;
  std::vector<double> chances = {};
  /// Its links, by what the role does and perceives: [first, first + keys.size()).
  std::uint32_t first_link = 0;
  std::vector<std::uint64_t> keys = {};
  std::vector<std::uint32_t> after = {};  // [key]: index in the next step
  std::optional<SetId> set = {};
};

/// A merged history at the beginning of a step.
struct Node {
  HistoryId id;
  std::uint32_t place;
  std::vector<std::uint32_t> known;  // [role]: index in the step
};

struct Turn {
  std::vector<Place> places;
  std::vector<std::vector<Known>> known;  // [role]
  std::vector<Node> nodes;
};

}  // namespace

class MergedBuilder {
 public:
  MergedBuilder(const gdl::Machine& machine, const Deadline& deadline, gdl::MemoryBudget* memory,
                std::size_t most_apart)
      : machine_(machine),
        deadline_(deadline),
        memory_(memory),
        most_apart_(most_apart),
        context_(machine.make_context({&deadline, memory})),
        roles_(static_cast<gdl::RoleIndex>(machine.role_count())),
        form_(machine) {
    form_.links_.resize(roles_);
  }

  gdl::Result<ExtensiveForm> run(gdl::StateView state) {
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

 private:
  void fail(Status status) { problem_ = ExtensiveForm::why_not(status); }
  bool check(Status status) {
    if (status != Status::Ok) fail(status);
    if (problem_.empty() && deadline_.stop_requested()) fail(Status::Stopped);
    return problem_.empty();
  }
  void hold(std::size_t bytes) {
    if (problem_.empty() && !form_.held_->hold(bytes, memory_)) fail(Status::OverBudget);
  }
  /// Counts memory that is needed until the next step is complete.
  void grow(std::size_t bytes) {
    passing_ += bytes;
    if (passing_ < held_passing_ + kStride) return;
    held_passing_ = passing_;
    hold_all();
  }
  /// Counts what is kept permanently, and tables.
  void hold_all() {
    std::size_t bytes = told_.bytes() + legal_.bytes() + ends_.bytes();
    bytes +=
        gdl::bytes_of(form_.histories_, form_.edges_, form_.edge_links_, form_.goals_, levels_);
    bytes += form_.knowledge_.size() * (sizeof(ExtensiveForm::Knowledge) + 2 * kBytesOfVector);
    bytes += form_.sets_.size() * (sizeof(ExtensiveForm::InformationSet) + kBytesOfVector);
    bytes += form_.told_.size() * kBytesOfVector;
    for (const auto& links : form_.links_) bytes += gdl::bytes_of(links);
    hold(bytes + passing_);
  }

  Turn first(gdl::StateView state) {
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

  /// The number of a state in its step, or of its end.
  std::uint32_t place_of(gdl::StateView state, Turn& turn, bool& ends) {
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
      if (!over) grow(bytes_of_place(place));
      if (!over) turn.places.push_back(std::move(place));
    }
    ends = entries_[number].second;
    return entries_[number].first;
  }

  Status read_fluents(gdl::StateView state, Words& out) {
    const Status status = machine_.fluents(*context_, state, fluents_);
    for (const gdl::FluentId fluent : fluents_) {
      if (fluent / 64 >= out.size()) out.resize(fluent / 64 + 1);
      out[fluent / 64] |= std::uint64_t{1} << (fluent % 64);
    }
    return status;
  }

  /// The row of goals; ends with the same goals share one.
  std::uint32_t end_of(gdl::StateView state) {
    std::vector<int> goals(roles_);
    if (!check(machine_.goals(*context_, state, goals))) return 0;
    const auto [row, is_new] = ends_.of(Words(goals.begin(), goals.end()));
    if (is_new) {
      for (const int goal : goals) form_.goals_.push_back(static_cast<std::uint8_t>(goal));
    }
    return row;
  }

  // --- States ------------------------------------------------------------------------------------

  void follow_states(Turn& turn, Turn& after) {
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

  void follow(Place& place, std::size_t number, Turn& after) {
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
  std::pair<std::uint32_t, bool> field_of(Numbers& numbers, Words words) {
    const auto numbered = numbers.of(std::move(words));
    if (numbered.first > kFieldMask) fail(Status::OverBudget);
    return numbered;
  }

  std::uint32_t told_of(std::span<const std::uint32_t> told) {
    const auto [number, is_new] = field_of(told_, Words(told.begin(), told.end()));
    if (is_new) form_.told_.emplace_back(told.begin(), told.end());
    return number;
  }

  // --- What a role knows -------------------------------------------------------------------------

  void keep_apart_if_few(const Turn& turn) {
    std::size_t situations = 0;
    for (const auto& known : turn.known) situations += known.size();
    apart_ = apart_ && situations <= most_apart_;
  }
  /// What the role chooses in an outcome, as an index into its legal moves.
  [[nodiscard]] std::size_t own_of(const Place& place, std::size_t outcome,
                                   gdl::RoleIndex role) const {
    for (gdl::RoleIndex other = roles_; --other > role;) outcome /= place.legal[other].size();
    return outcome % place.legal[role].size();
  }
  /// A key for what the role does, perceives, and may do next.
  [[nodiscard]] std::uint64_t key_of(const Place& place, std::size_t outcome, gdl::RoleIndex role,
                                     const Turn& after) const {
    const std::uint64_t legal = after.places[place.outcomes[outcome].next].legal_number[role];
    const std::uint64_t told = place.told[outcome * roles_ + role];
    const std::uint64_t own = own_of(place, outcome, role);
    return (own << 48) ^ (told << 24) ^ legal;
  }

  void follow_knowledge(gdl::RoleIndex role, Turn& turn, Turn& after) {
    Numbers supports;
    for (Known& known : turn.known[role]) {
      if (!check(Status::Ok)) return;
      const Place& any = turn.places[known.places.front()];
      if (any.legal[role].size() > 1 && role != machine_.random_role()) decide(role, any, known);
      gather(role, turn, after, known);
      for (std::size_t begin = 0; begin < gathered_.size();) {
        std::size_t end = begin;
        while (end < gathered_.size() && gathered_[end].key == gathered_[begin].key) ++end;
        link(role, any, known, std::span(gathered_).subspan(begin, end - begin), supports, after);
        begin = end;
      }
      if (supports.bytes() > held_supports_ + kStride) {
        grow(supports.bytes() - held_supports_);
        held_supports_ = supports.bytes();
      }
    }
    held_supports_ = 0;
  }

  void decide(gdl::RoleIndex role, const Place& any, Known& known) {
    known.set = static_cast<SetId>(form_.sets_.size());
    form_.sets_.push_back(
        {role, known.id, static_cast<std::uint32_t>(form_.actions_), any.legal[role]});
    form_.actions_ += any.legal[role].size();
  }

  struct Gathered {
    std::uint64_t key;
    std::uint32_t place;  // in the next step
    double chance;
    bool operator<(const Gathered& other) const {
      return key != other.key ? key < other.key : place < other.place;
    }
  };

  /// Gathers all successors of what is known, by what the role will know.
  void gather(gdl::RoleIndex role, const Turn& turn, const Turn& after, const Known& known) {
    gathered_.clear();
    for (std::size_t i = 0; i < known.places.size(); ++i) {
      const Place& place = turn.places[known.places[i]];
      const double chance = weighed() ? known.chances[i] : 0;
      for (std::size_t o = 0; o < place.outcomes.size(); ++o) {
        if (place.outcomes[o].ends) continue;
        gathered_.push_back({key_of(place, o, role, after), place.outcomes[o].next,
                             chance / static_cast<double>(place.outcomes.size())});
      }
    }
    std::sort(gathered_.begin(), gathered_.end());
  }

  void link(gdl::RoleIndex role, const Place& any, Known& known, std::span<const Gathered> all,
            Numbers& supports, Turn& after) {
    Known next{};
    double sum = 0;
    for (const Gathered& one : all) {
      sum += one.chance;
      if (!next.places.empty() && next.places.back() == one.place) {
        next.chances.back() += one.chance;
      } else {
        next.places.push_back(one.place);
        next.chances.push_back(one.chance);
      }
    }
    if (weighed()) {
      for (double& chance : next.chances) chance /= sum;
    } else {
      next.chances.clear();
    }
    const std::uint64_t key = all.front().key;
    const auto [number, is_new] = supports.of(what_counts(known, key, next, after));
    const auto own = static_cast<std::size_t>(key >> 48);
    const auto told = static_cast<std::uint32_t>((key >> 24) & kFieldMask);
    const gdl::MoveId move = any.legal[role][own];
    if (is_new) {
      next.id = static_cast<KnowledgeId>(form_.knowledge_.size());
      const auto& list = form_.told_[told];
      const std::vector<std::uint32_t> none;
      form_.knowledge_.push_back({known.id, move, any.legal[role].size() > 1,
                                  form_.all_is_seen_ ? none : list,
                                  form_.all_is_seen_ ? list : none});
      grow(sizeof(Known) + gdl::bytes_of(next.places, next.chances));
      after.known[role].push_back(std::move(next));
    } else if (!weighed()) {
      reckon_with(after.known[role][number].places, next.places);
    }
    auto& links = form_.links_[role];
    if (known.keys.empty()) known.first_link = static_cast<std::uint32_t>(links.size());
    known.keys.push_back(key);
    known.after.push_back(number);
    const std::uint32_t action =
        known.set ? form_.sets_[*known.set].first_action + static_cast<std::uint32_t>(own)
                  : Link::kNoChoice;
    links.push_back({known.id, after.known[role][number].id, action, move, told});
  }

  /// What distinguishes a situation, `next`, from others: it follows `known` by a turn with `key`.
  [[nodiscard]] Words what_counts(const Known& known, std::uint64_t key, const Known& next,
                                  const Turn& after) const {
    if (weighed()) return weights_of(next);
    if (apart_) return {known.id, key};
    return certain_of(next, key & kFieldMask, after);
  }
  /// For one player: the states that are possible, and their probabilities.
  [[nodiscard]] static Words weights_of(const Known& known) {
    Words words(known.places.begin(), known.places.end());
    for (const double chance : known.chances) {
      words.push_back(static_cast<std::uint64_t>(std::llround(chance * kSteps)));
    }
    return words;
  }
  /// For several players: the legal moves, and which fluents are certain.
  [[nodiscard]] static Words certain_of(const Known& known, std::uint64_t legal,
                                        const Turn& after) {
    Words certain = after.places[known.places.front()].fluents;
    for (const std::uint32_t place : known.places) {
      const Words& fluents = after.places[place].fluents;
      certain.resize(std::min(certain.size(), fluents.size()));
      for (std::size_t i = 0; i < certain.size(); ++i) certain[i] &= fluents[i];
    }
    while (!certain.empty() && certain.back() == 0) certain.pop_back();
    certain.push_back(legal);
    return certain;
  }
  /// Adds the states that are possible on another path.
  static void reckon_with(std::vector<std::uint32_t>& places,
                          const std::vector<std::uint32_t>& more) {
    if (std::ranges::includes(places, more)) return;
    std::vector<std::uint32_t> all;
    std::ranges::set_union(places, more, std::back_inserter(all));
    places = std::move(all);
  }

  /// Whether probabilities distinguish knowledge: if only chance can change them.
  [[nodiscard]] bool weighed() const { return form_.players_.size() == 1; }

  // --- Histories ---------------------------------------------------------------------------------

  void follow_nodes(Turn& turn, Turn& after) {
    Numbers merged;
    for (const Node& node : turn.nodes) {
      if (!check(Status::Ok)) return;
      choose(turn, node, merged, after);
      if (form_.edges_.size() > held_edges_ + kEdgesBetween) {
        hold_all();
        held_edges_ = form_.edges_.size();
      }
      if (merged.bytes() > held_merged_ + kStride) {
        grow(merged.bytes() - held_merged_);
        held_merged_ = merged.bytes();
      }
    }
    held_merged_ = 0;
  }

  HistoryId allocate(std::size_t level) {
    form_.histories_.emplace_back();
    levels_.push_back(static_cast<std::uint32_t>(level));
    return static_cast<HistoryId>(form_.histories_.size() - 1);
  }
  /// Gives a history this many children, which are still unknown. Their edges are added to `edges`.
  void open(HistoryId id, History::Kind kind, std::size_t children, std::uint32_t which,
            std::vector<std::uint32_t>& edges) {
    const auto first = static_cast<std::uint32_t>(form_.edges_.size());
    form_.histories_[id] = {kind, static_cast<std::uint32_t>(children), first, which};
    form_.edges_.resize(first + children);
    form_.edge_links_.resize((first + children) * roles_, ExtensiveForm::kInside);
    for (std::size_t i = 0; i < children; ++i) {
      edges.push_back(first + static_cast<std::uint32_t>(i));
    }
  }

  /// Adds the choices of a step, role by role; without any, chance has one child.
  void choose(const Turn& turn, const Node& node, Numbers& merged, Turn& after) {
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
  void lead(const Turn& turn, const Node& node, std::size_t o, std::uint32_t edge, Numbers& merged,
            Turn& after) {
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

  HistoryId history_of_end(std::uint32_t row) {
    if (row >= end_histories_.size()) end_histories_.resize(row + 1);
    if (!end_histories_[row]) {
      end_histories_[row] = allocate(kLast);
      form_.histories_[*end_histories_[row]] = {History::Kind::End, 0, 0, row};
    }
    return *end_histories_[row];
  }

  /// Orders children after their parents.
  void put_in_order() {
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

  const gdl::Machine& machine_;
  const Deadline& deadline_;
  gdl::MemoryBudget* memory_;
  const std::size_t most_apart_;
  std::unique_ptr<gdl::Machine::Context> context_;
  const gdl::RoleIndex roles_;
  ExtensiveForm form_;
  std::size_t depth_ = 0;              // steps
  bool apart_ = true;                  // whether situations of a role are kept apart
  std::vector<std::uint32_t> levels_;  // [history]: in which order they may come
  Numbers told_, legal_, ends_;
  std::vector<std::optional<HistoryId>> end_histories_;  // [row of goals]
  Numbers states_;                                       // of the next step
  std::vector<std::pair<std::uint32_t, bool>> entries_;  // [state]: its place, or the end it is
  gdl::State next_;
  std::vector<gdl::MoveId> joint_;
  std::vector<gdl::PerceptId> percepts_;
  std::vector<gdl::FluentId> fluents_;
  std::vector<Gathered> gathered_;
  // Bytes: of the current steps, and of the step before the last.
  std::size_t passing_ = 0, before_ = 0, held_passing_ = 0;
  std::size_t held_supports_ = 0, held_merged_ = 0;
  std::size_t held_edges_ = 0;  // how many
  std::string problem_;         // why it failed
};

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
    const History& history = histories[h];
    // Steps without a choice are skipped in a tree.
    if (history.kind != History::Kind::Chance || history.children > 1) sum += ways[h];
    for (std::uint32_t i = 0; i < history.children; ++i) ways[merged.child(history, i)] += ways[h];
  }
  return sum;
}

}  // namespace ludens::search::hidden
