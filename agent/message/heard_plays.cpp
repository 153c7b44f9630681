// SPDX-License-Identifier: MIT
#include "agent/message/heard_plays.h"

#include <algorithm>

#include "gdl/text/syntax.h"

namespace ludens::agent {

HeardPlays::Kind HeardPlays::kind_of(const std::optional<std::string>& name,
                                     std::string_view moves) const {
  if (name && !name->empty()) {
    if (!names_.empty() && names_.back() == *name) return Kind::Repeat;
    return std::ranges::find(names_, *name) == names_.end() ? Kind::New : Kind::Old;
  }
  if (!moves_ || *moves_ != gdl::fold_case(moves)) return Kind::New;
  return moves.empty() ? Kind::Repeat : Kind::Doubtful;
}

void HeardPlays::add(const std::optional<std::string>& name, std::string_view moves) {
  if (name && !name->empty()) names_.push_back(*name);
  moves_ = gdl::fold_case(moves);
}

}  // namespace ludens::agent
