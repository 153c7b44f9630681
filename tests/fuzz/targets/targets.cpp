#include "tests/fuzz/targets/targets.h"

namespace ludens::fuzz {

namespace {

constexpr Target kTargets[] = {
    {"http_server", http_server},
    {"http_client", http_client},
    {"messages", messages},
    {"rulesheet", rulesheet},
    {"machines", machines},
    {"journal", journal},
    {"record_json", record_json},
    {"record_xml", record_xml},
    {"replay", replay},
    {"tournament_log", tournament_log},
    {"tournament_file", tournament_file},
    {"configuration", configuration},
    {"player", player},
};

}  // namespace

std::span<const Target> targets() {
  return kTargets;
}

void require_sentence(const std::string& text) {
  require(!text.empty(), "a refusal says why");
}

}  // namespace ludens::fuzz
