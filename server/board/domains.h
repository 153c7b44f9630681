// SPDX-License-Identifier: MIT
// Which constants each argument can have: the picture of a game is guessed from this.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "gdl/rules/rules.h"

namespace ludens::server {

/// A kind of fluent, `cell/3`, and for each argument its possible constants, folded, in the order
/// in which the rulesheet first names them: those that `base` declares, otherwise those that may be
/// derived, which may be too many. Arguments that may be compounds are marked.
struct FluentShape {
  std::string name;  // folded
  std::vector<std::vector<std::string>> arguments;
  std::vector<bool> may_be_compound;
  bool declared = false;  // by `base`
};

/// The shapes of all fluents that `init` and `next` can make, in text order. Constants flow from
/// facts through the variables of rules until nothing changes (a variable may be what all its
/// positive occurrences in the body allow).
std::vector<FluentShape> fluent_shapes(const gdl::Rules& rules);

}  // namespace ludens::server
