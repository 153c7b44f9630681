// SPDX-License-Identifier: MIT
// The token that the page of the player shows.
#pragma once

#include <string>

#include "gdl/text/error.h"

namespace ludens::server {

/// The token in `gamemaster-token` of a folder, readable only by the user; created if there is
/// none, so that a page keeps working after a restart. An empty folder: one for this run. The error
/// is a sentence.
gdl::Result<std::string> kept_token(const std::string& folder);
/// The file of the token in that folder; empty if there is no folder.
std::string token_file(const std::string& folder);

}  // namespace ludens::server
