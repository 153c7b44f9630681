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

/// A missing answer; `problem` explains it to people.
inline Answer missing_answer(Answer::Kind kind, Trouble trouble, std::string problem) {
  Answer answer;
  answer.kind = kind;
  answer.trouble = trouble;
  answer.problem = std::move(problem);
  return answer;
}
/// No answer arrived, like from a broken connection.
inline Answer dropped_answer(std::string problem) {
  return missing_answer(Answer::Kind::ConnectionFailed, Trouble::Dropped, std::move(problem));
}
/// No answer arrived in time.
inline Answer late_answer(std::string problem) {
  return missing_answer(Answer::Kind::TimedOut, Trouble::Late, std::move(problem));
}

}  // namespace ludens::server
