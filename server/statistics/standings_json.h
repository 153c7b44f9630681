// SPDX-License-Identifier: MIT
// Standings as JSON, for programs.
#pragma once

#include <boost/json/object.hpp>

#include "server/statistics/standings.h"

namespace ludens::server {

/// `{"standings":[...],"games":[...],"pairs":[...],
/// "sprt":{...}}`. Scores are 0..1; an Elo difference that is infinite is null; `elo` and `sprt`
/// are null if there is none. Times are only in `think`, so that the rest is the same for every run
/// of a tournament that is limited by playouts.
boost::json::object standings_json(const Standings& standings);

}  // namespace ludens::server
