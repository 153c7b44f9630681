// SPDX-License-Identifier: MIT
// One recorded match, in whichever format it was recorded.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "server/records/faults.h"

namespace ludens::server {

/// An answer that was not accepted, and the move that replaced it.
struct Replacement {
  std::size_t step = 0;  // from 1, like the rows of `errors`
  std::string role;
  std::string code;    // as in `errors`
  std::string answer;  // what arrived, shortened; empty if nothing did
  std::string played;
};

/// All names are those of the rulesheet, never scrambled ones. Rows of `moves`, `errors` and
/// `latencies_ms` are in role order. States are `( f1 f2 ... )`, without `true`; a state read from
/// a format that does not contain it is empty. Times are milliseconds since 1970.
struct MatchRecord {
  std::string match_id;
  std::int64_t start_time_ms = 0;
  std::string random_token;  // 32 alphanumerics
  std::string game_meta_url;
  std::string game;       // name of the rulesheet
  std::string rulesheet;  // its text; empty in records that others made
  std::vector<std::string> roles;
  std::vector<std::string> players;
  std::vector<bool> human;
  std::string tournament;  // empty: none
  int preview_clock = -1;  // seconds; -1: none
  double start_clock = 0;  // seconds; only matches of Python have fractions
  double play_clock = 0;
  bool scrambled = false;
  std::string dialect;
  std::uint64_t seed = 0;
  std::size_t opening_steps = 0;  // the host drew or repeated this many first steps
  std::string continues;          // the match whose first moves they are; empty: they were drawn

  std::vector<std::string> states;
  std::vector<std::vector<std::string>> moves;  // one row fewer than states
  /// One row per step, in role order: what each role perceived of it; none if nothing is hidden.
  std::vector<std::vector<std::vector<std::string>>> percepts;
  std::vector<std::int64_t> state_times_ms;      // one per state
  std::vector<std::vector<std::string>> errors;  // one row per state, row 0 for START

  bool completed = false;
  bool aborted = false;
  std::string end_reason;  // why a match ended that was not completed
  std::vector<int> goals;  // when completed

  std::vector<std::vector<double>> latencies_ms;      // one row per state: replies, row 0 for START
  std::vector<std::map<std::string, double>> values;  // one row per step: what roles expected
  std::vector<std::map<std::string, double>> claims;  // one row per step: what roles had proved
  std::vector<std::map<std::string, double>> risked;  // and what they gave up for a better mean
  std::vector<Replacement> replacements;
  std::vector<std::string> warnings;

  /// Read from a format that only names roles: their order, and that of all rows, is not that of
  /// the rules.
  bool roles_by_name = false;

  // Known while and after a match is played; not stored in files.
  std::string file;                 // to which the whole record was written; empty: none
  std::string file_problem;         // why the last of it could not be written
  std::vector<FaultCounts> faults;  // by role
  /// Those for whose failures it was aborted, or that failed too often or were gone at its end.
  std::vector<std::string> failed_roles;

  // Known after reading.
  bool says_open = false;            // it says itself that the match was not over
  std::vector<std::string> missing;  // what its files lack, a few words each
};

/// Counts the text of a growing record. Each step is written with all earlier ones, so a game whose
/// states grow must be ended.
class RecordBudget {
 public:
  explicit RecordBudget(std::size_t bytes) : left_(bytes) {}
  /// False once there is no room for the text.
  [[nodiscard]] bool take(std::size_t bytes) {
    const bool fits = bytes <= left_;
    left_ = fits ? left_ - bytes : 0;
    return fits;
  }
  [[nodiscard]] bool take(const std::vector<std::string>& texts) {
    std::size_t bytes = 0;
    for (const std::string& text : texts) bytes += text.size();
    return take(bytes);
  }

 private:
  std::size_t left_;
};

/// Faults by role, from the codes of `errors`, which are coarser than what hosts count.
std::vector<FaultCounts> count_faults(const MatchRecord& record);

/// 32 letters and digits that nobody can guess.
std::string random_match_token();

/// The code an entry of `errors` begins with: "", "TO", "IL", "IN" or "CE".
std::string error_code(const std::string& error);

/// Makes a foreign text suitable for a record: valid UTF-8 (invalid bytes are taken as Latin-1),
/// with no control characters but tab and line ends. Others are shown by the characters for them,
/// such as U+2401 for 1.
std::string storable(const std::string& text);

/// Only letters, digits, '.', '_' and '-', never empty and never a hidden file: everything else
/// becomes '_'. This turns match ids into file names.
std::string safe_file_name(const std::string& match_id);

}  // namespace ludens::server
