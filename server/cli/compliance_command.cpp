// SPDX-License-Identifier: MIT
#include "server/cli/compliance_command.h"

#include <unistd.h>

#include <atomic>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <optional>
#include <regex>

#include "gdl/text/printable.h"
#include "server/cli/exit_code.h"
#include "server/cli/game_argument.h"
#include "server/compliance/case.h"
#include "server/compliance/expectation.h"
#include "server/live/progress_line.h"
#include "server/live/style.h"

namespace ludens::server {
namespace {

using Verdict = Outcome::Verdict;

int fail(int code, const std::string& text) {
  std::fprintf(stderr, "ludens: %s\n", text.c_str());
  return code;
}

void print_json(const Case& tried, const Outcome& outcome) {
  boost::json::object object{{"case", tried.name},
                             {"pass", outcome.verdict == Verdict::Passed},
                             {"sent", outcome.sent},
                             {"got", outcome.got},
                             {"ms", std::round(outcome.milliseconds)}};
  if (outcome.verdict == Verdict::Skipped) object["skipped"] = true;
  if (!outcome.why.empty()) object["why"] = outcome.why;
  std::printf("%s\n", boost::json::serialize(object).c_str());
}

void print_text(const Case& tried, const Outcome& outcome) {
  const char* const verdicts[] = {"pass", "FAIL", "skip"};
  const Style styles[] = {Style::Good, Style::Bad, Style::Faint};
  const auto verdict = static_cast<int>(outcome.verdict);
  std::printf(
      "%s  %-24.*s %s\n", painted_for(STDOUT_FILENO, verdicts[verdict], styles[verdict]).c_str(),
      static_cast<int>(tried.name.size()), tried.name.data(), std::string(tried.what).c_str());
  if (outcome.verdict == Verdict::Passed) return;
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

std::variant<std::vector<Case>, std::string> chosen_cases(const std::string& only) {
  std::vector<Case> cases = compliance_cases();
  if (only.empty()) return cases;
  try {
    const std::regex wanted(only);
    std::erase_if(cases, [&](const Case& each) {
      return !std::regex_search(std::string(each.name), wanted);
    });
  } catch (const std::regex_error&) {
    return "'" + only + "' is not a regular expression";
  }
  if (cases.empty()) return "no case has a name like '" + only + "'; --list names them all";
  return cases;
}

/// The game, or an exit code, with its problem told.
std::variant<TestGame, int> chosen_game(const std::string& name) {
  auto loaded = load_playable(name, false);
  if (const int* code = std::get_if<int>(&loaded)) return *code;
  auto made = make_test_game(std::get<Rulesheet>(loaded));
  if (const auto* problem = std::get_if<std::string>(&made)) return fail(kCouldNot, *problem);
  return std::get<TestGame>(std::move(made));
}

int try_all(const std::vector<Case>& cases, Trial& trial, const ComplianceOptions& options) {
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
  return count[1] == 0 ? kGood : kNotGood;
}

}  // namespace

int compliance_command(const ComplianceOptions& options) {
  const auto cases = chosen_cases(options.only);
  if (const auto* problem = std::get_if<std::string>(&cases)) return fail(kWrongUse, *problem);
  if (options.list) {
    list_cases(std::get<std::vector<Case>>(cases), options.json);
    return kGood;
  }
  const auto address = parse_address(options.url);
  if (const auto* problem = std::get_if<std::string>(&address)) return fail(kWrongUse, *problem);
  const auto game = chosen_game(options.game);
  if (const int* code = std::get_if<int>(&game)) return *code;

  Peer peer(std::get<Address>(address));
  const Talk hello = peer.ask("( INFO )");
  if (hello.result.kind == ExchangeResult::Kind::ConnectionFailed) {
    return fail(kCouldNot, "no player at " + peer.address().text() + ": " + hello.result.problem);
  }
  Trial trial{peer, std::get<TestGame>(game), options.start_clock, options.play_clock,
              "compliance." + std::to_string(std::time(nullptr))};
  return try_all(std::get<std::vector<Case>>(cases), trial, options);
}

}  // namespace ludens::server
