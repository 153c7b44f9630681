// SPDX-License-Identifier: MIT
#include "search/auto/sub_strategy.h"

namespace ludens::search {

std::optional<Choice> SubStrategy::think(const Position& position, const Deadline& deadline) {
  Incumbent incumbent;
  strategy_->think(position, deadline, incumbent);
  return incumbent.get();
}

void SubStrategy::think(const Position& position, const Deadline& deadline,
                        const std::function<void(Choice)>& tell) {
  Incumbent incumbent([&](bool) { tell(*incumbent.get()); });
  strategy_->think(position, deadline, incumbent);
}

}  // namespace ludens::search
