// SPDX-License-Identifier: MIT
// A tournament as JSON for pages.
#pragma once

#include <boost/json/object.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "server/tournament/log.h"

namespace ludens::server {

/// `{"name","places":[..],"format","rounds","players":[..],"games":[..],
/// "fault_kinds":[{"name","meaning"}],"summary":{standings_json},"sentence":..,"llr":[..],
/// "curves":[{"player","points":[[block,low,mean,high],..]}]}`. Scores are 0..1. Long curves are
/// thinned out to a visible resolution; `places` are the folders of its logs; `sentence` and `llr`
/// are there only if there is a test, and `note`, a sentence about all of it, if it is not empty.
boost::json::object tournament_json(const TournamentLog& log,
                                    const std::vector<std::string>& places = {},
                                    std::string_view note = {});

}  // namespace ludens::server
