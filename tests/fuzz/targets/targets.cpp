// SPDX-License-Identifier: MIT
#include "tests/fuzz/targets/targets.h"

namespace ludens::fuzz {

namespace {

constexpr Target kTargets[] = {
    {"http_server", http_server},
    {"http_client", http_client},
    {"messages", messages},
    {"rulesheet", rulesheet},
    {"hrf", hrf},
    {"convert", convert},
    {"machines", machines},
    {"hidden", hidden},
    {"journal", journal},
    {"record_json", record_json},
    {"record_xml", record_xml},
    {"replay", replay},
    {"tournament_log", tournament_log},
    {"tournament_file", tournament_file},
    {"configuration", configuration},
    {"player", player},
    {"knowledge", knowledge},
};

}  // namespace

std::span<const Target> targets() {
  return kTargets;
}

}  // namespace ludens::fuzz
