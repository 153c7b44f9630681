// SPDX-License-Identifier: MIT
// The arguments of a ground term.
#pragma once

#include <vector>

#include "gdl/machine/vocabulary.h"

namespace ludens::gdl {

/// The arguments of a term, as parts of it; a constant has none.
std::vector<GroundTerm> arguments_of(GroundTerm term);

}  // namespace ludens::gdl
