// SPDX-License-Identifier: MIT
// The result of adopting a host's report of a turn.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "gdl/machine/vocabulary.h"

namespace ludens::agent {

struct Adoption {
  enum class Kind : std::uint8_t {
    NoMoves,    // first PLAY: the state stays
    Adopted,    // the state is the one after the joint move, or will be once it can be derived
    Recovered,  // the PLAY before this one was missed and has been guessed
    Illegal,    // not possible in the known state: the state stays
    Replaced,   // the percepts are impossible: a possible turn replaces it
  };
  Kind kind = Kind::NoMoves;
  std::string problem;             // a sentence, for Recovered, Illegal and Replaced
  std::optional<gdl::MoveId> own;  // our role's move in the joint move
};

}  // namespace ludens::agent
