// SPDX-License-Identifier: MIT
// Standings as JSON, for programs.
#pragma once

#include <string>

#include "server/statistics/standings.h"

namespace ludens::server {

/// One object on one line, without line end: `{"standings":[...],"games":[...],"pairs":[...],
/// "sprt":{...}}`. Scores are 0..1; an Elo difference that is infinite is null; `elo` and `sprt`
/// are null if there is none. Times are only in `think`, so that the rest is the same for every run
/// of a tournament that is limited by playouts.
std::string standings_json(const Standings& standings);

}  // namespace ludens::server
