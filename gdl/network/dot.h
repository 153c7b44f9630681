// SPDX-License-Identifier: MIT
// A network as a drawing.
#pragma once

#include <string>

#include "gdl/network/network.h"

namespace ludens::gdl {

/// In the language of Graphviz: inputs and outputs by name, AND gates, dashed edges where a value
/// is complemented. Gates that nothing depends on are left out. For small games: a drawing of more
/// than a few hundred gates is of no use.
std::string to_dot(const Network& network, const Vocabulary& vocabulary);

}  // namespace ludens::gdl
