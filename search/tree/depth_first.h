// SPDX-License-Identifier: MIT
// The skeleton of every depth-first search: a loop instead of a recursion, so that the stack does
// not grow with a game's length.
#pragma once

#include "search/tree/game_tree.h"

namespace ludens::search {

/// What a search finds at a node that it enters.
enum class Arrival : std::uint8_t {
  Branch,      // a node with moves, which are searched
  Terminal,    // the end of the game, or a state without successors
  Recurrence,  // a state that occurred before on this path
  Horizon,     // deeper than the search goes
  Unknown,     // the machine could not compute what follows
  Stopped,     // it was stopped
};

/// Classifies the tree's current node. `limit`: states at this depth are on the horizon. A Branch
/// is not open yet.
Arrival arrive(GameTree& tree, std::size_t limit);
/// Opens a Branch, which may turn out to be another kind of node.
Arrival open_branch(GameTree& tree);

enum class Entered : std::uint8_t { Leaf, Branch, Stopped };

/// Searches below the tree's current node; false when stopped. `Search` has
///   Entered enter();     at a node: settles its value (Leaf), or pushes a frame (Branch)
///   gdl::MoveId next();  the next move of the top frame to look at, or kNoMove
///   void unknown();      instead of entering: the machine can't make the last move of `next`
///   void absorb();       back at the top frame: takes the settled value of its last move
///   void leave();        pops the top frame and settles its value
template <class Search>
bool depth_first(GameTree& tree, Search& search) {
  Entered entered = search.enter();
  for (std::size_t open = 1; entered != Entered::Stopped;) {
    if (entered == Entered::Leaf) {  // settled
      if (--open == 0) return true;
      tree.up();
      search.absorb();
    }
    const gdl::MoveId move = search.next();
    if (move == gdl::kNoMove) {
      search.leave();
      entered = Entered::Leaf;
      continue;
    }
    const gdl::Status status = tree.down(move);
    if (status == gdl::Status::Stopped) return false;
    if (status == gdl::Status::Ok) {
      entered = search.enter();
      ++open;
    } else {
      search.unknown();
      search.absorb();
      entered = Entered::Branch;
    }
  }
  return false;
}

}  // namespace ludens::search
