// SPDX-License-Identifier: MIT
// The folder into which parts of a tournament are joined.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>

#include "server/tournament/log.h"

namespace ludens::server {

/// Writes `log`, as `join_logs` gives it, to a new tournament folder that does not need the parts
/// any more: the records are there, too, as links to the files of the parts if both are on one file
/// system, otherwise as copies. `lost` counts records that the log names but that are missing;
/// their matches are written without one. Fails with a sentence if the folder can't be written, or
/// has a log already.
std::optional<std::string> write_joined(const TournamentLog& log,
                                        const std::filesystem::path& folder, std::size_t& lost);

}  // namespace ludens::server
