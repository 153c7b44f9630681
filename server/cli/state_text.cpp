// SPDX-License-Identifier: MIT
#include "server/cli/state_text.h"

#include <utility>

#include "server/board/text_board.h"

namespace ludens::server {

std::string state_text(const Board& board, Picture picture, Notation notation) {
  for (auto* groups : {&picture.controls, &picture.facts}) {
    for (FactGroup& group : *groups) {
      for (std::string& fact : group.facts) fact = shown_term(notation, fact);
    }
  }
  return draw(board, picture);
}

}  // namespace ludens::server
