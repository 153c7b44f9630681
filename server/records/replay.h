// SPDX-License-Identifier: MIT
// Is a record a match of its game? Derives it again, move by move.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "gdl/rules/rules.h"
#include "server/records/match_record.h"

namespace ludens::server {

/// Where record and rules differ. `step` is the number of the state, from 0.
struct Disagreement {
  std::size_t step = 0;
  std::string what;
  friend bool operator==(const Disagreement&, const Disagreement&) = default;
};

struct ReplayResult {
  std::size_t steps = 0;  // joint moves derived in agreement
  std::vector<Disagreement> disagreements;
  std::vector<std::string> missing;  // what the record does not say, a few words each
  bool stopped = false;              // by request, or the rules derive too much: `why`
  std::string why;
};

/// The record with its roles, and with them goals and moves, in the order of the rules. If the
/// roles differ, the record stays unchanged, and the replay finds that.
MatchRecord in_order_of(MatchRecord record, const gdl::Rules& rules);

/// The first difference between two records of one match: of their moves or ends. The second may be
/// behind the first as long as the match goes on.
std::optional<Disagreement> first_difference(const MatchRecord& first, const MatchRecord& second);

/// Compares roles, every recorded state, every move, what each role perceived, the end and the
/// goals, as sets and ignoring case; ends with the first disagreement, because everything after it
/// would differ, too. States and percepts that the record does not contain are not compared.
ReplayResult replay(const MatchRecord& record, const std::shared_ptr<const gdl::Rules>& rules,
                    const std::stop_token& stop = {});

}  // namespace ludens::server
