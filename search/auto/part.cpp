#include "search/auto/part.h"

#include <stdexcept>

namespace ludens::search {

Part::Part(std::string_view name, const OptionTexts& options, const Resources& resources) {
  auto made = make_strategy({std::string(name), options}, resources);
  if (const auto* problem = std::get_if<std::string>(&made)) throw std::logic_error(*problem);
  strategy_ = std::get<std::unique_ptr<Strategy>>(std::move(made));
}

std::optional<Choice> Part::think(const Position& position, const Deadline& deadline) {
  Incumbent incumbent;
  strategy_->think(position, deadline, incumbent);
  return incumbent.get();
}

void Part::think(const Position& position, const Deadline& deadline,
                 const std::function<void(Choice)>& tell) {
  Incumbent incumbent([&](bool) { tell(*incumbent.get()); });
  strategy_->think(position, deadline, incumbent);
}

}  // namespace ludens::search
