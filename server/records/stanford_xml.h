// SPDX-License-Identifier: MIT
// Match records in the XML of Stanford's games server of 2008: one document per match.
#pragma once

#include <pugixml.hpp>

#include "server/records/match_record.h"

namespace ludens::server {

/// Reads the root `<match>` of such a document:
///
///     <match id="Match.0812000">
///       <game>Tictactoe</game><role>Xplayer</role>..<player>Ary</player>..
///       <startclock>30</startclock><playclock>10</playclock><tournament>Test</tournament>
///       <herstory><state><stepnum>1</stepnum>
///         <fact><relation>mark</relation><argument>2</argument>..</fact>..</state>..</herstory>
///       <history><move><stepnum>1</stepnum><action>(play 2 2 x)</action>..</move>..</history>
///       <rewards><reward>50</reward>..</rewards>
///     </match>
///
/// All states are there, one more than moves; the rules are missing. Throws std::invalid_argument.
MatchRecord read_stanford_xml(pugi::xml_node match);

}  // namespace ludens::server
