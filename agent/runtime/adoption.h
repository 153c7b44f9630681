// SPDX-License-Identifier: MIT
// What became of what a host has told of a turn.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "gdl/machine/vocabulary.h"

namespace ludens::agent {

struct Adoption {
  enum class Kind : std::uint8_t {
    NoMoves,    // first PLAY: the state stands
    Adopted,    // the state is, or will be once it can be derived, the one after the joint move
    Recovered,  // one PLAY before this one was missed and has been guessed
    Illegal,    // not possible in the state known: the state stands
    Replaced,   // what was perceived can't be: a turn that could be stands in for it
  };
  Kind kind = Kind::NoMoves;
  std::string problem;             // a sentence, for Recovered, Illegal and Replaced
  std::optional<gdl::MoveId> own;  // our role's move in the joint move
};

}  // namespace ludens::agent
