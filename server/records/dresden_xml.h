// SPDX-License-Identifier: MIT
// Match records in the XML of the Dresden GGP server: one document per state.
#pragma once

#include <pugixml.hpp>
#include <string>

#include "server/records/match_record.h"

namespace ludens::server {

/// The document of state number `state` (from 0) with the history that led there. Facts and moves
/// are in upper case, as stylesheets for this format expect; errors are in an `errors` element that
/// others ignore. Rewards are only written if the match was completed in this state.
std::string to_dresden_xml(const MatchRecord& record, std::size_t state);

/// Reads the root `<match>`: the history, and the last of the states, the others being empty. Moves
/// may also be written like Stanford's host of 2007 did, `mark(1,1)`. Throws std::invalid_argument.
MatchRecord read_dresden_xml(pugi::xml_node match);

}  // namespace ludens::server
