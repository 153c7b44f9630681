// SPDX-License-Identifier: MIT
// Do the parts of a record fit together?
#pragma once

#include <string>

#include "server/records/match_record.h"

namespace ludens::server {

/// A sentence on the first list of the record that has another length than the others ask for,
/// names a role that is not there, or counts steps that are not; else empty. Lists without any
/// entry pass: records of others leave them out. How many moves a step has is for `replay` to
/// judge, which knows the roles of the game. Readers of files call this, so that nobody else need
/// look at lengths.
std::string shape_problem(const MatchRecord& record);

}  // namespace ludens::server
