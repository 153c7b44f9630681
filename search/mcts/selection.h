// SPDX-License-Identifier: MIT
// Selection: descents go down the tree from its root.
#pragma once

#include <vector>

#include "search/mcts/descents.h"
#include "search/mcts/graph.h"
#include "search/mcts/move_choice.h"

namespace ludens::search::mcts {

/// Descents go down one level at a time, and those with the same path go together: a node is
/// visited once for all descents that pass it, and the nodes of the next level are fetched from
/// memory during the work on this level. Each descent still makes its own choice, after those
/// before it.
class Selection {
 public:
  /// Makes `count` descents by `Chooser`; `descents` is overwritten.
  void descend(Graph& graph, const SelectionPolicy& policy, std::uint32_t count, gdl::Rng& rng,
               Descents& descents);

 private:
  using Group = Descents::Group;
  using End = Descents::End;

  void advance(Graph& graph, const SelectionPolicy& policy, std::uint32_t index, gdl::Rng& rng,
               Descents& descents);
  void choose(Graph& graph, Node& node, const Group& group, const SelectionPolicy& policy,
              const Path& path, gdl::Rng& rng);
  void choose_jointly(Graph& graph, Node& node, const SelectionPolicy& policy, gdl::Rng& rng);
  void divide(Graph& graph, const Node& node, const SelectionPolicy& policy, std::uint32_t index,
              Descents& descents);
  static void place(Graph& graph, const Node& node, Group& part, Descents& descents);

  std::vector<JointCode> chosen_;      // by the group that is advancing
  std::vector<std::uint32_t> places_;  // of one role there
  std::vector<std::uint32_t> tally_;   // [code]: how many chose it
  Chooser chooser_;
};

}  // namespace ludens::search::mcts
