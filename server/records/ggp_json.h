// SPDX-License-Identifier: MIT
// Match records in the JSON of ggp.org, as its hosts write and its archives store them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gdl/text/error.h"
#include "server/records/match_record.h"

namespace ludens::server {

/// One object on one line, keys in a fixed order, no null anywhere. Data without a key of ggp.org
/// has keys that begin with `x-`.
std::string to_ggp_json(const MatchRecord& record);

/// Reads one match object or archive entry `{"url":..,"data":{match}}`, or returns a sentence that
/// says what is wrong. Missing keys have their defaults; `matchId`, `states` and `moves` must be
/// there and fit together. Signatures and unknown keys are ignored.
gdl::Result<MatchRecord> parse_ggp_json(std::string_view text);

}  // namespace ludens::server
