// SPDX-License-Identifier: MIT
// Whose the things on a board are, where their names do not say it.
#pragma once

#include <map>
#include <set>
#include <string>

#include "gdl/rules/rules.h"
#include "server/board/layout.h"

namespace ludens::server {

/// For each thing that moves of one role alone put on a square (`(next (cell ?x ?y wall))` with
/// `(does builder ...)` in its body, and not there before), that role. Games of one role have no
/// owners.
std::map<std::string, std::string> owners_of_things(const gdl::Rules& rules,
                                                    const BoardLayout& layout);

/// Things that come where another thing is: `(next (cell ?x ?y visited))` with `(true (at ?p ?x
/// ?y))` in its body.
std::set<std::string> traces(const gdl::Rules& rules, const BoardLayout& layout);

}  // namespace ludens::server
