// SPDX-License-Identifier: MIT
// Traces of matches in the XML of Dresden's GameController: one document per match.
#pragma once

#include <pugixml.hpp>

#include "server/records/match_record.h"

namespace ludens::server {

/// Reads the root of such a document:
///
///     <gametrace>
///       <game>maze</game>
///       <steps>
///         <step nb="1">
///           <state><fluent>(cell a)</fluent>..</state>
///           <legal_moves><move role="robot">move</move>..</legal_moves>
///           <moves><move role="robot">move</move></moves>
///         </step>
///         ..
///         <step nb="9"><state>..</state><terminal/>
///           <goal_values><goal_value role="robot">100</goal_value></goal_values></step>
///       </steps>
///     </gametrace>
///
/// A state that is left out is not compared; the legal moves are not kept. Roles are only known by
/// their names (`MatchRecord::roles_by_name`); the rules are missing. If a role has several goals,
/// the largest counts. Throws std::invalid_argument.
MatchRecord read_gametrace_xml(pugi::xml_node trace);

}  // namespace ludens::server
