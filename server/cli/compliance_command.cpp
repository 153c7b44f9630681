// SPDX-License-Identifier: MIT
// `ludens compliance`: checks a player against the protocol, case by case.
#include "server/cli/commands.h"

#include <unistd.h>

#include <atomic>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <optional>
#include <regex>
#include <stop_token>

#include "gdl/text/printable.h"
#include "server/cli/exit_code.h"
#include "server/cli/game_argument.h"
#include "server/cli/interrupt.h"
#include "server/cli/terminal.h"
#include "server/compliance/case.h"
#include "server/compliance/expectation.h"

namespace ludens::server {
namespace {

void print_json(const Case& tried, const Outcome& outcome) {
  boost::json::object object{{"case", tried.name},
                             {"pass", outcome.verdict == Outcome::Verdict::Passed},
                             {"sent", outcome.sent},
                             {"got", outcome.got},
                             {"ms", std::round(outcome.milliseconds)}};
  if (outcome.verdict == Outcome::Verdict::Skipped) object["skipped"] = true;
  if (!outcome.why.empty()) object["why"] = outcome.why;
  std::printf("%s\n", boost::json::serialize(object).c_str());
}

void print_text(const Case& tried, const Outcome& outcome) {
  const char* const verdicts[] = {"pass", "FAIL", "skip"};
  const Style styles[] = {Style::Good, Style::Bad, Style::Faint};
  const auto verdict = static_cast<int>(outcome.verdict);
  std::printf(
      "%s  %-24.*s %s\n", painted(STDOUT_FILENO, verdicts[verdict], styles[verdict]).c_str(),
      static_cast<int>(tried.name.size()), tried.name.data(), std::string(tried.what).c_str());
  if (outcome.verdict == Outcome::Verdict::Passed) return;
  std::printf("      expected: %s\n", gdl::printable(outcome.why).c_str());
  std::printf("      sent: %s\n      got: %s  (%.0f ms)\n", gdl::printable(outcome.sent).c_str(),
              gdl::printable(outcome.got).c_str(), outcome.milliseconds);
}

void list_cases(const std::vector<Case>& cases, bool json) {
  for (const Case& each : cases) {
    if (json) {
      const boost::json::object object{{"case", each.name}, {"what", each.what}};
      std::printf("%s\n", boost::json::serialize(object).c_str());
    } else {
      std::printf("%-24s %s\n", std::string(each.name).c_str(), std::string(each.what).c_str());
    }
  }
}

gdl::Result<std::vector<Case>> chosen_cases(const std::string& only) {
  std::vector<Case> cases = compliance_cases();
  if (only.empty()) return cases;
  const std::regex wanted(only);
  std::erase_if(
      cases, [&](const Case& each) { return !std::regex_search(std::string(each.name), wanted); });
  if (cases.empty()) {
    return gdl::Error{"no case has a name like '" + only + "'; --list names them all"};
  }
  return cases;
}

/// Returns the game; reports its problem.
gdl::Result<TestGame, Failure> chosen_game(const std::string& name) {
  auto loaded = load_playable(name);
  if (!loaded) return loaded.error();
  auto made = make_test_game(*loaded);
  if (!made) return Failure{fail(kCouldNot, made.error().text)};
  return *std::move(made);
}

/// Tries all cases until `stop`, which also ends the one that runs.
int try_all(const std::vector<Case>& cases, Trial& trial, const ComplianceOptions& options,
            const std::stop_token& stop) {
  std::optional<SlowClients> slow;
  if (options.slow_clients > 0) slow.emplace(trial.peer, options.slow_clients);
  int count[3] = {0, 0, 0};
  std::atomic<const Case*> now{nullptr};
  ProgressLine progress([&] {
    const Case* const running = now;
    return running == nullptr ? std::string() : std::string(running->name);
  });
  for (const Case& each : cases) {
    now = &each;
    const Outcome outcome = each.run(trial);
    if (stop.stop_requested()) break;
    ++count[static_cast<int>(outcome.verdict)];
    progress.print([&] {
      options.json ? print_json(each, outcome) : print_text(each, outcome);
      std::fflush(stdout);
    });
  }
  if (!options.json) {
    progress.print([&] {
      std::printf("%d passed, %d failed, %d skipped\n", count[0], count[1], count[2]);
      std::fflush(stdout);
    });
  }
  if (stop.stop_requested()) return kCouldNot;
  return count[1] == 0 ? kGood : kNotGood;
}

}  // namespace

int compliance_command(const ComplianceOptions& options) {
  const auto cases = chosen_cases(options.only);
  if (!cases) return fail(kWrongUse, cases.error().text);
  if (options.list) {
    list_cases(*cases, options.json);
    return kGood;
  }
  const auto address = parse_address(options.url);
  if (!address) return fail(kWrongUse, address.error().text);
  const auto game = chosen_game(options.game);
  if (!game) return game.error().exit_code;

  const Interrupt interrupt;
  Peer peer(*address, interrupt.token());
  const Talk hello = peer.ask("( INFO )");
  if (hello.result.kind == ExchangeResult::Kind::ConnectionFailed) {
    return fail(kCouldNot, "no player at " + peer.address().text() + ": " + hello.result.problem);
  }
  Trial trial{peer, *game, options.start_clock, options.play_clock,
              "compliance." + std::to_string(std::time(nullptr))};
  return try_all(*cases, trial, options, interrupt.token());
}

}  // namespace ludens::server
