// SPDX-License-Identifier: MIT
// Answers that players in the same process make.
#pragma once

#include <string>
#include <utility>

#include "server/match/match_player.h"

namespace ludens::server {

inline Answer text_answer(std::string text) {
  Answer answer;
  answer.text = std::move(text);
  return answer;
}

/// Nothing came, as from a connection that broke; `problem` is for people.
inline Answer dropped_answer(std::string problem) {
  Answer answer;
  answer.kind = Answer::Kind::ConnectionFailed;
  answer.trouble = Trouble::Dropped;
  answer.problem = std::move(problem);
  return answer;
}

/// Nothing came in time; `problem` is for people.
inline Answer late_answer(std::string problem) {
  Answer answer;
  answer.kind = Answer::Kind::TimedOut;
  answer.trouble = Trouble::Late;
  answer.problem = std::move(problem);
  return answer;
}

}  // namespace ludens::server
