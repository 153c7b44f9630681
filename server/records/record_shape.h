// SPDX-License-Identifier: MIT
// Do the parts of a record fit together?
#pragma once

#include <string>

#include "server/records/match_record.h"

namespace ludens::server {

/// A sentence about the first list of the record whose length does not fit the others, that names
/// an unknown role, or that counts steps that don't exist; otherwise empty. Lists without any entry
/// pass, because records from elsewhere omit them. `replay`, which knows the roles of the game,
/// checks how many moves a step has. Readers of files call this, so that other code need not check
/// lengths.
std::string shape_problem(const MatchRecord& record);

}  // namespace ludens::server
