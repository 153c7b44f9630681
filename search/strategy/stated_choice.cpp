// SPDX-License-Identifier: MIT
#include "search/strategy/stated_choice.h"

#include <utility>

namespace ludens::search {

RootMove stated(RootMove move, const gdl::GoalScale& goals) {
  for (double* const value : {&move.value, &move.low, &move.high}) *value = goals.shown(*value);
  return move;
}

Choice stated(Choice choice, const gdl::GoalScale& goals) {
  choice.value = goals.shown(choice.value);
  for (RootMove& move : choice.root) move = stated(std::move(move), goals);
  return choice;
}

}  // namespace ludens::search
