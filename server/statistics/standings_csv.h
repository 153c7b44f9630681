// SPDX-License-Identifier: MIT
// Standings as a table for spreadsheets.
#pragma once

#include <string>

#include "server/statistics/standings.h"

namespace ludens::server {

/// A line of titles, then a line for each player: over all games (`game` is empty), then in each
/// game. Columns keep their names and their order; new ones come last. Scores are 0..1, with the
/// ends of their 95 % intervals; Elo likewise. Fields are empty where there is nothing to tell.
std::string standings_csv(const Standings& standings);

}  // namespace ludens::server
