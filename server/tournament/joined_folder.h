// SPDX-License-Identifier: MIT
// The folder that parts of a tournament are joined to.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>

#include "server/tournament/log.h"

namespace ludens::server {

/// Writes `log`, as `join_logs` gives it, to a new tournament folder that needs the parts no more:
/// the records are there too, as links to the files of the parts where both lie on one file system,
/// else as copies. `lost` counts records that the log names and that are not there; their matches
/// are written without one. A sentence where the folder can't be written, or has a log already.
std::optional<std::string> write_joined(const TournamentLog& log,
                                        const std::filesystem::path& folder, std::size_t& lost);

}  // namespace ludens::server
