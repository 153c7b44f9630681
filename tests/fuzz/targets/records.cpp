// SPDX-License-Identifier: MIT
#include <variant>

#include "server/records/claims.h"
#include "server/records/dresden_xml.h"
#include "server/records/ggp_json.h"
#include "server/records/xml_record.h"
#include "tests/fuzz/targets/targets.h"

namespace ludens::fuzz {

namespace {

using server::MatchRecord;

/// As JSON again, and from then on always the same.
void require_json(const MatchRecord& record) {
  const std::string text = server::to_ggp_json(record);
  const auto again = server::parse_ggp_json(text);
  const auto* problem = std::get_if<std::string>(&again);
  require(problem == nullptr, "a record is written readably: " + text);
  require(server::to_ggp_json(std::get<MatchRecord>(again)) == text, "it stays: " + text);
}

/// Each state as a document of its own. Of a state `( f )` may become `f`, of two blanks one: what
/// is written once is written the same again.
void require_xml(const MatchRecord& record) {
  for (std::size_t state = 0; state < record.states.size(); ++state) {
    const auto once = server::parse_xml_record(server::to_dresden_xml(record, state));
    require(std::holds_alternative<MatchRecord>(once), "a state is written readably");
    const auto& read = std::get<MatchRecord>(once);
    require(read.states.size() == state + 1, "the history comes back");
    const std::string text = server::to_dresden_xml(read, state);
    const auto twice = server::parse_xml_record(text);
    require(std::holds_alternative<MatchRecord>(twice), "it is written readably again: " + text);
    const std::string after = server::to_dresden_xml(std::get<MatchRecord>(twice), state);
    require(after == text, "it stays: " + text + "\nbecame: " + after);
  }
}

}  // namespace

void record_json(std::string_view input) {
  const auto read = server::parse_ggp_json(input);
  if (const auto* problem = std::get_if<std::string>(&read)) return require_sentence(*problem);
  const auto& record = std::get<MatchRecord>(read);
  server::broken_claims(record);
  require_json(record);
}

void record_xml(std::string_view input) {
  const auto read = server::parse_xml_record(input);
  if (const auto* problem = std::get_if<std::string>(&read)) return require_sentence(*problem);
  const auto& record = std::get<MatchRecord>(read);
  server::broken_claims(record);
  require_xml(record);
  require_json(record);
}

}  // namespace ludens::fuzz
