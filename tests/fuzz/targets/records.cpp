// SPDX-License-Identifier: MIT

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
  require(again.has_value(), "a record is written readably: " + text);
  require(server::to_ggp_json(*again) == text, "it stays: " + text);
}

/// Each state as a document of its own. Of a state `( f )` may become `f`, of two blanks one: what
/// is written once is written the same again.
void require_xml(const MatchRecord& record) {
  for (std::size_t state = 0; state < record.states.size(); ++state) {
    const auto once = server::parse_xml_record(server::to_dresden_xml(record, state));
    require(once.has_value(), "a state is written readably");
    const auto& read = *once;
    require(read.states.size() == state + 1, "the history comes back");
    const std::string text = server::to_dresden_xml(read, state);
    const auto twice = server::parse_xml_record(text);
    require(twice.has_value(), "it is written readably again: " + text);
    const std::string after = server::to_dresden_xml(*twice, state);
    require(after == text, "it stays: " + text + "\nbecame: " + after);
  }
}

}  // namespace

void record_json(std::string_view input) {
  const auto read = server::parse_ggp_json(input);
  if (!read) return require_sentence(read.error().text);
  const auto& record = *read;
  server::broken_claims(record);
  require_json(record);
}

void record_xml(std::string_view input) {
  const auto read = server::parse_xml_record(input);
  if (!read) return require_sentence(read.error().text);
  const auto& record = *read;
  server::broken_claims(record);
  require_xml(record);
  require_json(record);
}

}  // namespace ludens::fuzz
