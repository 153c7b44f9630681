// Moves as the host writes them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "agent/message/message.h"
#include "gdl/machine/vocabulary.h"

namespace ludens::agent {

/// The text by which two PLAYs are the same: lower case, one space between tokens; empty for 'no
/// moves' (an atom, `()`, or nothing).
std::string moves_key(const Part& moves);

/// The nodes of a joint move, one a role; empty for 'no moves'.
std::vector<gdl::NodeIndex> moves_of(const Part& moves);

/// The id of a move, made if no machine has derived it yet; nullopt for what is no ground term of
/// this game's words. `(noop)` is read as `noop`: the host's word goes, whatever it looks like.
std::optional<gdl::MoveId> intern_move(gdl::Vocabulary& vocabulary, const gdl::SyntaxTree& tree,
                                       gdl::NodeIndex node);

}  // namespace ludens::agent
