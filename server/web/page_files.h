// SPDX-License-Identifier: MIT
// The scripts and the style of all pages, as in server/web/page/.
#pragma once

#include <string_view>

namespace ludens::server {

extern const std::string_view kPageStyle;
extern const std::string_view kChartsStyle;             // of dygraphs
extern const std::string_view kChartsScript;            // dygraphs, which draws curves
extern const std::string_view kBoardScript;             // states and boards
extern const std::string_view kViewerScript;            // the replay viewer
extern const std::string_view kTournamentScript;        // standings and curves
extern const std::string_view kReportScript;            // the page of `report`
extern const std::string_view kInputScript;             // choosing squares of a board
extern const std::string_view kTurnScript;              // what people do in a match
extern const std::string_view kLiveScript;              // the page of `--watch`
extern const std::string_view kGamemasterScript;        // the page that plays on Gamemaster
extern const std::string_view kGamemasterWorkerScript;  // its Worker
extern const std::string_view kGamemasterWindowScript;  // the window by which it may talk

}  // namespace ludens::server
