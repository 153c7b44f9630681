// SPDX-License-Identifier: MIT
// `ludens replay`: do the rules allow what a record says?
#include "server/cli/commands.h"

#include <algorithm>
#include <atomic>
#include <boost/json.hpp>
#include <filesystem>
#include <iostream>
#include <optional>
#include <utility>

#include "gdl/text/printable.h"
#include "server/board/board.h"
#include "server/board/trails.h"
#include "server/cli/exit_code.h"
#include "server/cli/interrupt.h"
#include "server/cli/state_text.h"
#include "server/cli/terminal.h"
#include "server/game/bundled_games.h"
#include "server/game/rulesheet.h"
#include "server/records/claims.h"
#include "server/records/record_files.h"
#include "server/records/replay.h"

namespace ludens::server {

namespace {

namespace json = boost::json;

json::array to_json(const std::vector<Disagreement>& disagreements) {
  json::array out;
  for (const Disagreement& d : disagreements) {
    out.push_back(json::object{{"step", d.step}, {"what", d.what}});
  }
  return out;
}

void print_json(const std::string& place, const ReplayResult& result,
                const std::vector<Disagreement>& claims) {
  json::object out{{"record", place},
                   {"steps", result.steps},
                   {"disagreements", to_json(result.disagreements)},
                   {"broken_claims", to_json(claims)},
                   {"missing", json::array(result.missing.begin(), result.missing.end())}};
  if (result.stopped) out["stopped"] = result.why;
  std::cout << json::serialize(out) << "\n";
}

void print_text(const std::string& place, const ReplayResult& result,
                const std::vector<Disagreement>& claims) {
  for (const auto& list : {result.disagreements, claims}) {
    for (const Disagreement& d : list) {
      std::cout << place << ": step " << d.step << ": " << gdl::printable(d.what) << "\n";
    }
  }
  if (result.stopped) {
    std::cout << place << ": given up after " << result.steps << " steps: " << result.why << "\n";
  } else if (result.disagreements.empty()) {
    std::cout << place << ": " << result.steps << (result.steps == 1 ? " step" : " steps")
              << ", the rules agree";
    const char* separator = "; missing: ";
    for (const std::string& what : result.missing) {
      std::cout << std::exchange(separator, ", ") << what;
    }
    std::cout << "\n";
  }
}

/// Draws the recorded positions and the moves between them. A record may leave out states.
void draw_positions(const MatchRecord& record, const gdl::Rules& rules) {
  const Board board(rules, record.states.empty() ? "( )" : record.states.front());
  Trails trails(board);
  for (std::size_t step = 0; step < record.states.size(); ++step) {
    if (step > 0) {
      std::cout << step << ".";
      for (const std::string& move : record.moves[step - 1])
        std::cout << " " << gdl::printable(rules.to_user_language(move));
      std::cout << "\n\n";
    }
    if (record.states[step].empty()) continue;
    Picture picture = board.picture(record.states[step]);
    trails.follow(picture);
    std::cout << state_text(board, picture, notation_of(rules)) << "\n";
  }
}

/// The rules of `--game`, otherwise those in the record.
gdl::Result<std::shared_ptr<const gdl::Rules>> rules_for(const MatchRecord& record,
                                                         const std::optional<Rulesheet>& given) {
  if (given) return given->rules;
  if (record.rulesheet.empty()) {
    return gdl::Error{"it does not contain its rulesheet; name it with --game GAME"};
  }
  return read_rulesheet(record.game, record.rulesheet).rules;
}

/// Adds what the XML of the same match says otherwise.
void compare_with_xml(const std::string& place, const MatchRecord& record,
                      const std::shared_ptr<const gdl::Rules>& rules, const std::stop_token& stop,
                      ReplayResult& result) {
  const auto beside = xml_beside(place);
  if (!beside) return;
  const auto add = [&](std::size_t step, const std::string& what) {
    result.disagreements.push_back({step, beside->place + ": " + what});
  };
  if (!beside->record) return add(0, beside->record.error().text);
  const ReplayResult other = replay(*beside->record, rules, stop);
  if (other.stopped) return;
  for (const Disagreement& d : other.disagreements) add(d.step, d.what);
  for (const std::string& what : beside->record->missing) result.missing.push_back(what);
  if (const auto differs = first_difference(record, *beside->record)) {
    add(differs->step, differs->what);
  }
}

int replay_one(const FoundRecord& found, const std::optional<Rulesheet>& given,
               const ReplayOptions& options, const Interrupt& interrupt, ProgressLine& progress) {
  const auto refuse = [&](const std::string& why) {
    progress.print([&] { fail(kCouldNot, found.place + ": " + why); });
    return kCouldNot;
  };
  if (!found.record) return refuse(found.record.error().text);
  const MatchRecord& record = *found.record;
  const auto rules = rules_for(record, given);
  if (!rules) return refuse(rules.error().text);
  const std::shared_ptr<const gdl::Rules>& known = *rules;
  if (known->roles.empty()) return refuse("its rulesheet has no roles");
  ReplayResult result = replay(record, known, interrupt.token());
  if (!result.stopped) compare_with_xml(found.place, record, known, interrupt.token(), result);
  const std::vector<Disagreement> claims = broken_claims(record);
  progress.print([&] {
    if (options.boards && !options.json) draw_positions(record, *known);
    if (options.json) return print_json(found.place, result, claims);
    print_text(found.place, result, claims);
  });
  if (result.stopped) return kCouldNot;
  return result.disagreements.empty() && claims.empty() ? kGood : kNotGood;
}

/// The totals of all records.
struct ReplayTally {
  std::atomic<std::size_t> records{0};  // the progress line reads it
  std::size_t agree = 0;
  int code = kGood;
  void add(int one) {
    ++records;
    agree += one == kGood ? 1 : 0;
    code = std::max(code, one);
  }
};

void replay_file(const std::filesystem::path& file, const std::optional<Rulesheet>& given,
                 const ReplayOptions& options, const Interrupt& interrupt, ProgressLine& progress,
                 ReplayTally& tally) {
  const auto found = read_records(file);
  if (!found) {
    progress.print([&] { tally.add(fail(kCouldNot, found.error().text)); });
    return;
  }
  for (const FoundRecord& record : *found) {
    if (interrupt.token().stop_requested()) return;
    tally.add(replay_one(record, given, options, interrupt, progress));
  }
}

/// Replays a file, or all records of a folder.
void replay_place(const std::string& place, const std::optional<Rulesheet>& given,
                  const ReplayOptions& options, const Interrupt& interrupt, ProgressLine& progress,
                  ReplayTally& tally) {
  const auto files = find_records(place);
  if (!files) {
    progress.print([&] { tally.add(fail(kCouldNot, files.error().text)); });
    return;
  }
  for (const auto& file : *files) {
    replay_file(file, given, options, interrupt, progress, tally);
    if (interrupt.token().stop_requested()) return;
  }
}

}  // namespace

int replay_command(const ReplayOptions& options) {
  std::optional<Rulesheet> given;
  if (!options.game.empty()) {
    auto loaded = load_game(options.game);
    if (!loaded) return fail(kCouldNot, loaded.error().text);
    given = *std::move(loaded);
  }
  const Interrupt interrupt;
  ReplayTally tally;
  {
    ProgressLine progress([&] { return "record " + std::to_string(tally.records + 1); });
    for (const std::string& place : options.records) {
      replay_place(place, given, options, interrupt, progress, tally);
      if (interrupt.token().stop_requested()) break;
    }
  }
  if (!options.json && tally.records > 1) {
    std::cout << tally.records << " records, " << tally.agree << " agree\n";
  }
  return interrupt.token().stop_requested() ? kCouldNot : tally.code;
}

}  // namespace ludens::server
