// SPDX-License-Identifier: MIT
// How merged forms are built: what the sources that do it share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "gdl/memory/hash.h"
#include "search/hidden/extensive_form.h"

namespace ludens::search::hidden {

/// Builds a merged form step by step. The states of a step, and the histories that lead to them,
/// are followed in `merged_form.cpp`; what each role knows of them in `merged_knowledge.cpp`. Used
/// once.
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

  gdl::Result<ExtensiveForm> run(gdl::StateView state);

 private:
  using Status = gdl::Status;
  using History = ExtensiveForm::History;
  using Link = ExtensiveForm::Link;
  /// Memory is reserved in steps of this size.
  static constexpr std::size_t kPiece = std::size_t{1} << 20;
  /// A key has 24 bits each for the number of what was told and for that of a list of legal moves,
  /// and 16 for the number of the own move in its list.
  static constexpr std::uint64_t kFieldMask = 0xffffff;

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
    std::vector<Outcome> outcomes;    // by the moves of the roles, the last one's fastest
    std::vector<std::uint32_t> told;  // [outcome * roles + role]
  };

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

  void fail(Status status) { problem_ = ExtensiveForm::why_not(status); }
  bool check(Status status);
  void hold(std::size_t bytes) {
    if (problem_.empty() && !form_.held_->hold(bytes, memory_)) fail(Status::OverBudget);
  }
  void grow(std::size_t bytes);
  void hold_all();

  Turn first(gdl::StateView state);
  [[nodiscard]] static std::size_t bytes_of(const Place& place);
  std::uint32_t place_of(gdl::StateView state, Turn& turn, bool& ends);
  Status read_fluents(gdl::StateView state, Words& out);
  std::uint32_t end_of(gdl::StateView state);
  void follow_states(Turn& turn, Turn& after);
  void follow(Place& place, std::size_t number, Turn& after);
  std::pair<std::uint32_t, bool> field_of(Numbers& numbers, Words words);
  std::uint32_t told_of(std::span<const std::uint32_t> told);

  void keep_apart_if_few(const Turn& turn);
  [[nodiscard]] std::size_t own_of(const Place& place, std::size_t outcome,
                                   gdl::RoleIndex role) const;
  [[nodiscard]] std::uint64_t key_of(const Place& place, std::size_t outcome, gdl::RoleIndex role,
                                     const Turn& after) const;
  void follow_knowledge(gdl::RoleIndex role, Turn& turn, Turn& after);
  void decide(gdl::RoleIndex role, const Place& any, Known& known);
  struct Gathered {
    std::uint64_t key;
    std::uint32_t place;  // in the next step
    double chance;
    bool operator<(const Gathered& other) const {
      return key != other.key ? key < other.key : place < other.place;
    }
  };
  void gather(gdl::RoleIndex role, const Turn& turn, const Turn& after, const Known& known);
  void link(gdl::RoleIndex role, const Place& any, Known& known, std::span<const Gathered> all,
            Numbers& supports, Turn& after);
  [[nodiscard]] Words what_counts(const Known& known, std::uint64_t key, const Known& next,
                                  const Turn& after) const;
  [[nodiscard]] static Words weights_of(const Known& known);
  [[nodiscard]] static Words certain_of(const Known& known, std::uint64_t legal, const Turn& after);
  static void reckon_with(std::vector<std::uint32_t>& places,
                          const std::vector<std::uint32_t>& more);
  /// Whether probabilities distinguish knowledge: if only chance can change them.
  [[nodiscard]] bool weighed() const { return form_.players_.size() == 1; }

  void follow_nodes(Turn& turn, Turn& after);
  HistoryId allocate(std::size_t level);
  void open(HistoryId id, History::Kind kind, std::size_t children, std::uint32_t which,
            std::vector<std::uint32_t>& edges);
  void choose(const Turn& turn, const Node& node, Numbers& merged, Turn& after);
  void lead(const Turn& turn, const Node& node, std::size_t o, std::uint32_t edge, Numbers& merged,
            Turn& after);
  HistoryId history_of_end(std::uint32_t row);
  void put_in_order();

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

}  // namespace ludens::search::hidden
