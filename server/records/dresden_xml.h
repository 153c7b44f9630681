// Match records in the XML of the Dresden GGP server: one document a state.
#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "server/records/match_record.h"

namespace ludens::server {

/// The document of state number `state` (from 0) with the history that led there. Facts and moves
/// are in upper case, as stylesheets for this format expect; errors stand in an `errors` element
/// that others ignore. Rewards only where the match was completed in this state.
std::string to_dresden_xml(const MatchRecord& record, std::size_t state);

/// Reads one document: the history, and the last of the states, the others being empty. Or a
/// sentence on what is wrong. Moves may also be written as Stanford's host of 2007 did,
/// `mark(1,1)`.
std::variant<MatchRecord, std::string> parse_dresden_xml(std::string_view text);

}  // namespace ludens::server
