// SPDX-License-Identifier: MIT
// The result of adopting a host's report of a turn.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "gdl/machine/vocabulary.h"

namespace ludens::agent {

/// Whether PLAYs may have gone past us before the one that is reported.
enum class Gap : std::uint8_t {
  None,      // no: this process has answered the message before it
  Possible,  // this process did not run when the message before it came, or had no place for it
  Likely,    // and since then, more time has passed than a host gives for a turn
};

struct Adoption {
  enum class Kind : std::uint8_t {
    NoMoves,    // first PLAY: the state stays
    Adopted,    // the state is the one after the joint move, or will be once it can be derived
    Recovered,  // PLAYs before this one were missed and have been guessed
    Illegal,    // not possible in the known state: the state stays
    Replaced,   // the percepts are impossible: a possible turn replaces it
  };
  Kind kind = Kind::NoMoves;
  std::string problem;             // a sentence, for Recovered, Illegal and Replaced
  std::optional<gdl::MoveId> own;  // our role's move in the joint move
};

}  // namespace ludens::agent
